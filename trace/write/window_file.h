#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "trace/result.h"
#include "trace/write/append_file.h"
#include "trace/write/batch.h"

namespace jitscope::trace::write {

/// A whole trace file that is made at once, of chunks that are there already. A file that does not
/// become whole is taken away again. For the writer's thread.
class WindowFile {
 public:
  WindowFile() = default;
  ~WindowFile();
  WindowFile(const WindowFile&) = delete;
  WindowFile& operator=(const WindowFile&) = delete;

  /// Creates the file at `path`.
  Result<void> create(const std::filesystem::path& path);

  /// The same with the header of another file, whose process it is then of.
  Result<void> create(const std::filesystem::path& path, std::span<const uint8_t> header);

  /// Appends a chunk.
  void add(const ChunkExtent& extent, std::span<const uint8_t> bytes);

  /// Appends all chunks of a batch.
  void add(const Batch& batch);

  /// Appends the index and closes the file. An error, and no file, if anything did not fit.
  Result<void> finish();

  int64_t sizeBytes() const { return file_.size(); }
  int64_t rows() const { return rows_; }

 private:
  std::filesystem::path path_;
  AppendFile file_;
  std::vector<ChunkExtent> chunks_;
  int64_t rows_ = 0;
  bool isWhole_ = true;
  bool isUnfinished_ = false;  ///< there is a file, which has no index yet
};

}  // namespace jitscope::trace::write
