#include "analyzer/import/unpacked_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace jitscope::analyzer {
namespace {

std::string describe(int errorNumber) { return std::generic_category().message(errorNumber); }

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

}  // namespace

UnpackedFile::UnpackedFile(UnpackedFile&& other) noexcept
    : path_(std::move(other.path_)), isTemporary_(std::exchange(other.isTemporary_, false)) {}

UnpackedFile::~UnpackedFile() { removeName(); }

void UnpackedFile::removeName() {
  if (std::exchange(isTemporary_, false)) unlink(path_.c_str());
}

trace::Result<UnpackedFile> UnpackedFile::of(InputBytes& bytes) {
  if (bytes.encoding() == Encoding::kNone && !bytes.path().empty())
    return UnpackedFile(bytes.path(), false);
  std::error_code ignored;
  std::string pattern =
      (std::filesystem::temp_directory_path(ignored) / "jitscope-XXXXXX").string();
  const int number = mkostemp(pattern.data(), O_CLOEXEC);
  if (number < 0) return trace::Error{"cannot be unpacked: no temporary file: " + describe(errno)};
  const Descriptor descriptor(number);
  UnpackedFile file(pattern, true);
  constexpr size_t kPieceBytes = 1 << 20;
  std::vector<char> piece(kPieceBytes);
  while (const size_t size = bytes.read(piece)) {
    if (!descriptor.write(piece.data(), size))
      return trace::Error{"cannot be unpacked: " + describe(errno)};
  }
  return file;
}

}  // namespace jitscope::analyzer
