#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "trace/reader.h"
#include "trace/schema.h"
#include "trace/sink.h"

namespace jitscope::trace {

/// A sink that keeps its rows in memory and ends as a TraceFile: what an importer of another format
/// writes into. Unlike other sinks it is for one thread at a time. What does not fit into memory is
/// counted among the losses.
class MemoryTrace final : public EventSink {
 public:
  MemoryTrace();
  ~MemoryTrace() override;
  MemoryTrace(MemoryTrace&&) noexcept;
  MemoryTrace& operator=(MemoryTrace&&) noexcept;
  MemoryTrace(const MemoryTrace&) = delete;
  MemoryTrace& operator=(const MemoryTrace&) = delete;

  StringId intern(std::string_view text) noexcept override;

  /// As EventSink promises; rows of a table that schema.h does not have count as lost.
  void write(TableId table, std::span<const int64_t> cells) noexcept override;

  /// How many rows `table` has so far.
  size_t rowCount(TableId table) const;

  /// The cells of a column of the schema, to put right what only the end of an input tells (the
  /// depth of an operator, the origin of a kernel). Valid until a row is written. Throws
  /// std::bad_alloc.
  std::span<int64_t> cells(TableId table, size_t column);

  /// Adds `offsetNs` to all times: for inputs that tell their clock's zero after their events.
  void shiftTimes(int64_t offsetNs);

  /// Ends the trace and shows it as a file that was read from `path`. `losses` are those of the
  /// input; `isComplete` is false when it was cut.
  TraceFile finish(std::filesystem::path path, std::vector<ReadLoss> losses, bool isComplete) &&;

 private:
  class Content;
  std::shared_ptr<Content> content_;
};

}  // namespace jitscope::trace
