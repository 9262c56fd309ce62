#pragma once

#include <filesystem>

#include "analyzer/import/input_bytes.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// An input as a file that can be opened by its path: itself, or where it is packed, its bytes in a
/// temporary file.
class UnpackedFile {
 public:
  /// Reads `bytes` to their end if they are packed. A bomb, a stop and a full disk are errors.
  static trace::Result<UnpackedFile> of(InputBytes& bytes);

  ~UnpackedFile();
  UnpackedFile(UnpackedFile&& other) noexcept;
  UnpackedFile& operator=(UnpackedFile&&) = delete;
  UnpackedFile(const UnpackedFile&) = delete;
  UnpackedFile& operator=(const UnpackedFile&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// Takes the name of a temporary file away, when all who need it have opened it: then nothing
  /// stays behind whatever happens to us. Done by the destructor otherwise. While it is unpacked it
  /// has none yet, where the file system can do so. As long as it has one it is of UnfinishedPaths.
  void removeName();

 private:
  UnpackedFile(std::filesystem::path path, bool isTemporary)
      : path_(std::move(path)), isTemporary_(isTemporary) {}

  std::filesystem::path path_;
  bool isTemporary_ = false;  ///< and still has its name
};

}  // namespace jitscope::analyzer
