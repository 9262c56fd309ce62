#include "analyzer/import/unpacked_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "analyzer/errno_text.h"
#include "analyzer/unfinished_paths.h"

namespace jitscope::analyzer {
namespace {

/// A file descriptor that is closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() { close(number_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool write(const char* data, size_t size) const {
    while (size > 0) {
      const ssize_t written = ::write(number_, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      data += written;
      size -= static_cast<size_t>(written);
    }
    return true;
  }

 private:
  int number_;
};

/// A file in `folder` without a name, open; negative where the file system has none such.
int openNameless(const std::filesystem::path& folder) {
  constexpr mode_t kOwn = 0600;
  return open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, kOwn);
}

/// A new file in `folder`, open, and its name.
int openNamed(const std::filesystem::path& folder, std::string& name) {
  const std::scoped_lock lock(unfinishedPaths().mutex);
  name = (folder / "jitscope-XXXXXX").string();
  const int file = mkostemp(name.data(), O_CLOEXEC);
  if (file >= 0) unfinishedPaths().paths.insert(name);
  return file;
}

/// Gives an open file without a name a free one in `folder`; empty when that cannot be done.
std::string giveName(int file, const std::filesystem::path& folder) {
  const std::string open = "/proc/self/fd/" + std::to_string(file);
  const std::scoped_lock lock(unfinishedPaths().mutex);
  constexpr int kTries = 1000;
  for (int i = 0; i < kTries; ++i) {
    std::string name = (folder / ("jitscope-" + std::to_string(getpid()) + "-" +
                                  std::to_string(file) + "-" + std::to_string(i)))
                           .string();
    if (linkat(AT_FDCWD, open.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      unfinishedPaths().paths.insert(name);
      return name;
    }
    if (errno != EEXIST) break;
  }
  return {};
}

}  // namespace

UnpackedFile::UnpackedFile(UnpackedFile&& other) noexcept
    : path_(std::move(other.path_)), isTemporary_(std::exchange(other.isTemporary_, false)) {}

UnpackedFile::~UnpackedFile() { removeName(); }

void UnpackedFile::removeName() {
  if (!std::exchange(isTemporary_, false)) return;
  const std::scoped_lock lock(unfinishedPaths().mutex);
  unlink(path_.c_str());
  unfinishedPaths().paths.erase(path_);
}

trace::Result<UnpackedFile> UnpackedFile::of(InputBytes& bytes) {
  if (bytes.encoding() == Encoding::kNone && !bytes.path().empty())
    return UnpackedFile(bytes.path(), false);
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(ignored);
  std::string name;
  int number = openNameless(folder);
  if (number < 0) number = openNamed(folder, name);
  if (number < 0) return trace::Error{"cannot be unpacked: no temporary file: " + errnoText(errno)};
  const Descriptor descriptor(number);
  UnpackedFile file(name, !name.empty());
  constexpr size_t kPieceBytes = 1 << 20;
  std::vector<char> piece(kPieceBytes);
  while (const size_t size = bytes.read(piece)) {
    if (!descriptor.write(piece.data(), size))
      return trace::Error{"cannot be unpacked: " + errnoText(errno)};
  }
  if (!name.empty()) return file;
  name = giveName(number, folder);
  if (name.empty()) return trace::Error{"cannot be unpacked: " + errnoText(errno)};
  return UnpackedFile(name, true);
}

}  // namespace jitscope::analyzer
