#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "trace/flight_options.h"
#include "trace/result.h"
#include "trace/sink.h"

namespace jitscope::trace {

/// What a finished file holds.
struct WriterSummary {
  int64_t bytes = 0;
  int64_t rows = 0;
  int64_t lost = 0;        ///< rows that could not be kept
  int64_t overheadNs = 0;  ///< time that the writer's own thread ran
};

/// An EventSink that writes one trace file (FORMAT.md). Rows are gathered per thread; a thread of
/// the writer's own encodes and appends them, so that a row is on its way to the kernel at most 250
/// ms after `write` returned, also when the process is then killed. When the file cannot grow (disk
/// full, descriptor closed) the writer goes on counting what it loses; nothing reaches the caller.
class FileWriter final : public EventSink {
 public:
  /// Creates or replaces the file at `path`. The file stays valid to read at any moment from here
  /// on.
  static Result<std::unique_ptr<FileWriter>> create(const std::filesystem::path& path);

  /// Makes a writer that only writes around triggers, as a flight recorder: no file at `path`, but
  /// NAME-window-1.jitscope and so on beside it. Its memory is bounded by the options.
  static Result<std::unique_ptr<FileWriter>> createFlight(const std::filesystem::path& path,
                                                          FlightOptions options);

  /// As `close`.
  ~FileWriter() override;
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  StringId intern(std::string_view text) noexcept override;
  void write(TableId table, std::span<const int64_t> cells) noexcept override;

  /// Has a flight recorder write the window around that time, soon. Of other writers it changes
  /// nothing. Any thread.
  void trigger(std::string_view reason, int64_t timeNs) noexcept;

  /// Waits until all rows written before the call are in the file. For orderly moments only: before
  /// a fork or exec, at a signal's safe point.
  void flush() noexcept;

  /// Writes what is left and the index. Later rows are dropped and counted nowhere. Safe to call
  /// twice.
  WriterSummary close() noexcept;

 private:
  struct State;
  explicit FileWriter(std::unique_ptr<State> state);
  static Result<std::unique_ptr<FileWriter>> begin(const std::filesystem::path& path,
                                                   FlightOptions options);
  std::unique_ptr<State> state_;
};

}  // namespace jitscope::trace
