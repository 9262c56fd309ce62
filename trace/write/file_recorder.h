#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trace/result.h"
#include "trace/write/append_file.h"
#include "trace/write/batch.h"
#include "trace/write/loss_counters.h"
#include "trace/write/recorder.h"
#include "trace/write/row_gatherer.h"
#include "trace/write/text_interner.h"
#include "trace/write/thread_logs.h"

namespace jitscope::trace::write {

/// Brings rows and texts from the producers into the file, in the order that a reader needs: the
/// description of a table and the texts of its rows before the rows. What the file does not take is
/// counted by its reason, and the counts go into the file as soon as it takes rows again. Used by
/// the writer's thread only.
class FileRecorder final : public Recorder {
 public:
  FileRecorder(ThreadLogs& logs, TextInterner& texts, LossCounters& counters);

  /// Creates the file with its header.
  Result<void> create(const std::filesystem::path& path) override;

  /// Writes what producers have handed over. Gives how many rows it took; when memory runs out,
  /// some may be left for the next call.
  size_t record() noexcept override;

  /// Writes the losses, the writer's own time and the index. On a full disk the last chunks make
  /// room for them.
  void finish(int64_t overheadNs) noexcept override;

  /// All is recorded anyway.
  void trigger(std::string_view, int64_t) noexcept override {}

  int64_t fileBytes() const override { return file_.size(); }
  int64_t rowsWritten() const override { return rowsWritten_; }
  int64_t rowsLost() const override { return rowsLost_; }

 private:
  void take(TableId table, std::span<const int64_t> cells);
  void collectTexts();
  void collectCounters();
  void writeAll();
  bool writeTextsOneByOne();
  void addGatheredRows();
  void addRows(const RowGatherer& rows);
  void addOwnLosses(int64_t overheadNs);
  void appendBatch();
  void keep(const ChunkExtent& chunk, bool isOwnLosses);
  void giveUp(const ChunkExtent& chunk);
  void dropGathered(std::string_view reason) noexcept;
  void loseRows(std::string_view reason, int64_t rows) noexcept;
  bool tryToFinish(int64_t overheadNs, bool onlyNeededTexts);
  bool makeRoom(size_t chunks);

  ThreadLogs& logs_;
  TextInterner& texts_;
  LossCounters& counters_;
  AppendFile file_;
  Batch batch_;
  std::vector<RowGatherer> gatherers_;     ///< by TableId, from 1
  std::vector<bool> isDescribed_;          ///< the same
  RowGatherer ownLosses_;                  ///< rows of the loss table that come from losses_
  std::deque<TextPiece> waitingTexts_;     ///< not yet in the file
  std::map<std::string, int64_t> losses_;  ///< by reason, not yet in the file
  std::vector<ChunkExtent> notIndexed_;    ///< in the file, behind its last index
  bool isFailing_ = false;                 ///< the last append was not whole
  int64_t rowsWritten_ = 0;
  int64_t rowsLost_ = 0;
};

}  // namespace jitscope::trace::write
