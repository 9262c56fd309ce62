#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "trace/reader.h"

namespace jitscope::trace::read {

/// What stands behind a TraceFile: a file whose cells are still packed, or rows held in memory.
/// Each member answers what the member of TraceFile with its name promises.
class TraceContent {
 public:
  TraceContent() = default;
  virtual ~TraceContent() = default;
  TraceContent(const TraceContent&) = delete;
  TraceContent& operator=(const TraceContent&) = delete;

  virtual const std::filesystem::path& path() const = 0;
  virtual size_t rowCount(TableId table) const = 0;
  virtual std::span<const int64_t> column(TableId table, size_t index) const = 0;
  virtual const std::vector<TableDescription>& tables() const = 0;
  virtual std::string_view text(StringId id) const = 0;
  virtual size_t stringCount() const = 0;
  virtual const std::vector<ReadLoss>& losses() const = 0;
  virtual bool isComplete() const = 0;
};

}  // namespace jitscope::trace::read
