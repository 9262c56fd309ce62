#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "trace/result.h"

namespace jitscope::trace::read {

/// The bytes of a file as long as they were when it was opened. Small files are held in memory, of
/// large ones parts are read when asked for; neither faults when somebody cuts the file meanwhile,
/// as a memory map would. Reading is safe from any number of threads.
class FileBytes {
 public:
  /// No bytes.
  FileBytes() = default;

  /// Errors say what and where, without the path.
  static Result<FileBytes> open(const std::filesystem::path& path);

  uint64_t size() const { return size_; }

  /// `length` bytes from `offset`, fewer when the file ends there or was cut since. They lie in
  /// memory of this object or in `scratch`.
  std::span<const uint8_t> read(uint64_t offset, size_t length,
                                std::vector<uint8_t>& scratch) const;

 private:
  class Descriptor;
  FileBytes(std::shared_ptr<const Descriptor> file, uint64_t size);

  std::shared_ptr<const Descriptor> file_;
  uint64_t size_ = 0;
  std::unique_ptr<uint8_t[]> held_;  ///< the whole file, when it is small
};

}  // namespace jitscope::trace::read
