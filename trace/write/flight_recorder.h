#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trace/flight_options.h"
#include "trace/write/chunk_ring.h"
#include "trace/write/fork_pause.h"
#include "trace/write/loss_counters.h"
#include "trace/write/recorder.h"
#include "trace/write/row_gatherer.h"
#include "trace/write/text_interner.h"
#include "trace/write/thread_logs.h"
#include "trace/write/trigger_queue.h"
#include "trace/write/window_file.h"

namespace jitscope::trace::write {

/// What producers hand over.
struct Producers {
  ThreadLogs& logs;
  TextInterner& texts;
  LossCounters& counters;
  ForkPause* pause = nullptr;  ///< held while the recorder works; may be null
};

/// Keeps the last stretch of time packed in memory and writes it, each time a trigger comes, as a
/// trace file of its own: NAME-window-N.jitscope. Memory is bounded however long it runs and
/// whatever triggers. What could not be kept is counted in the next file.
class FlightRecorder final : public Recorder {
 public:
  FlightRecorder(const Producers& producers, FlightOptions options);

  Result<void> create(const std::filesystem::path& path) override;
  size_t record() noexcept override;
  void finish(int64_t overheadNs) noexcept override;
  void trigger(std::string_view reason, int64_t timeNs) noexcept override {
    triggers_.add(reason, timeNs);
  }
  int64_t fileBytes() const override { return written_.bytes; }
  int64_t rowsWritten() const override { return written_.rows; }
  int64_t rowsLost() const override { return written_.rowsLost; }

 private:
  struct Written {
    std::filesystem::path stem;                 ///< of the files' names
    std::deque<std::filesystem::path> windows;  ///< files, the oldest first
    int64_t number = 0;                         ///< of the last window
    int64_t endNs = 0;                          ///< where it ended, or where recording began
    int64_t bytes = 0, rows = 0, rowsLost = 0;
    int64_t withoutMemory = 0;  ///< windows that came to nothing, not yet among the losses
  };
  struct Gathered {
    RowGatherer events, context;
  };
  /// What has not reached the ring.
  struct Waiting {
    std::vector<Gathered> rows;  ///< by TableId, from 1
    TextPiece texts;
  };
  /// A window that is being written. Not on the stack, or a child that is forked off meanwhile
  /// would know nothing of its memory.
  struct Growing {
    WindowFile file;
    Batch own;
    std::filesystem::path path;
  };

  void take(TableId table, std::span<const int64_t> cells);
  void dropGathered() noexcept;
  void hearSignal();
  void pack();
  void packTexts();
  void packRows(RowGatherer& rows, bool isContext);
  void addToRing(TableId table, bool isContext);
  void lose(const char* reason, std::atomic<int64_t>& counter);
  void collectLosses();
  void collectForgotten();
  void writeDue(bool isLast, int64_t overheadNs);
  void writeWindow(const Triggered& trigger, int64_t overheadNs);
  void addOwnRows(const RecordedWindowRow& window, int64_t overheadNs, Batch& batch);
  Result<void> writeFile(int64_t startNs);
  void add(const std::deque<KeptChunk>& chunks, int64_t startNs);
  std::filesystem::path newPath() const;
  void makeRoom();
  StringId internOwn(std::string_view text);

  const Producers producers_;
  const FlightOptions options_;
  Waiting waiting_;
  std::unique_ptr<Growing> growing_;
  Batch batch_;
  ChunkRing ring_;
  TriggerQueue triggers_;
  std::map<std::string, int64_t> losses_;  ///< by reason, not yet in a file
  Written written_;
};

}  // namespace jitscope::trace::write
