#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "trace/result.h"
#include "trace/schema.h"

namespace jitscope::trace::write {

/// Where a table stands in what is kept by table.
constexpr size_t indexOf(TableId table) { return static_cast<size_t>(table) - 1; }

/// Where the rows of a writer go. Used by the writer's thread only, but for `trigger`.
class Recorder {
 public:
  Recorder() = default;
  virtual ~Recorder() = default;
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Prepares to write at `path`.
  virtual Result<void> create(const std::filesystem::path& path) = 0;

  /// Takes what producers have handed over. Gives how many rows that were; when memory runs out,
  /// some may be left for the next call.
  virtual size_t record() noexcept = 0;

  /// Writes what is left. `overheadNs` is the time of the writer's own thread.
  virtual void finish(int64_t overheadNs) noexcept = 0;

  /// Something happened at that time of which a flight recorder keeps a window. Any thread.
  virtual void trigger(std::string_view reason, int64_t timeNs) noexcept = 0;

  virtual int64_t fileBytes() const = 0;
  virtual int64_t rowsWritten() const = 0;
  virtual int64_t rowsLost() const = 0;
};

}  // namespace jitscope::trace::write
