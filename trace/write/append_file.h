#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "trace/result.h"

namespace jitscope::trace::write {

/// A file that only grows, inside of a program that may close or reuse any descriptor. Before each
/// use the descriptor is checked to still be our file; when it is not, the file is opened again by
/// its path, and what now has the number is left alone. One thread, with all signals blocked.
class AppendFile {
 public:
  AppendFile() = default;
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  /// Makes `path` a new file of the bytes `beginning`. Where the folder allows it, nobody ever
  /// sees the file with less. A file that stood there is replaced, not emptied, so that
  /// whoever reads it keeps what they see; an error when it is a trace that is still being written.
  Result<void> create(const std::filesystem::path& path, std::span<const uint8_t> beginning);

  /// Appends `bytes` as far as they fit, and gives how many did. What is beyond the last of
  /// `boundaries` (ends of units, ascending) that fits is taken off again.
  size_t append(std::span<const uint8_t> bytes, std::span<const size_t> boundaries);

  /// Cuts the file to `size` bytes.
  void cutTo(int64_t size);

  /// Gives the file up; it is not being written any more.
  void close();

  /// How long the file is.
  int64_t size() const { return size_; }

  /// Why the last append was not whole.
  const std::string& problem() const { return problem_; }

 private:
  bool createUnseen(std::span<const uint8_t> beginning);
  Result<void> createInSight(std::span<const uint8_t> beginning);
  bool own(int descriptor);
  bool isOurs(int descriptor) const;
  bool reach();
  size_t writeSome(std::span<const uint8_t> bytes);

  std::filesystem::path path_;
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  int64_t size_ = 0;
  std::string problem_;
};

}  // namespace jitscope::trace::write
