#include "trace/read/file_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "trace/format/error_number.h"

namespace jitscope::trace::read {
namespace {

// A run may leave thousands of files: only large ones keep a descriptor.
constexpr uint64_t kLargestHeld = 64u << 20;

size_t readFully(int descriptor, uint64_t offset, std::span<uint8_t> target) {
  size_t done = 0;
  while (done < target.size()) {
    const ssize_t got = pread(descriptor, target.data() + done, target.size() - done,
                              static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

}  // namespace

class FileBytes::Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

FileBytes::FileBytes(std::shared_ptr<const Descriptor> file, uint64_t size)
    : file_(std::move(file)), size_(size) {}

Result<FileBytes> FileBytes::open(const std::filesystem::path& path) {
  // O_NONBLOCK: a pipe without a writer must not hold us up before we can refuse it.
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) return Error{"cannot be opened: " + format::describeErrorNumber(errno)};
  auto file = std::make_shared<const Descriptor>(number);
  struct stat status {};
  if (fstat(number, &status) != 0) {
    return Error{"cannot be read: " + format::describeErrorNumber(errno)};
  }
  if (S_ISDIR(status.st_mode)) return Error{"cannot be read: is a folder"};
  if (!S_ISREG(status.st_mode)) return Error{"cannot be read: not a regular file"};

  FileBytes bytes(std::move(file), static_cast<uint64_t>(status.st_size));
  if (bytes.size_ > kLargestHeld) return bytes;
  const size_t wanted = bytes.size_;
  bytes.held_ = std::make_unique_for_overwrite<uint8_t[]>(wanted);
  errno = 0;
  bytes.size_ = readFully(number, 0, {bytes.held_.get(), wanted});
  if (bytes.size_ < wanted && errno != 0) {
    return Error{"cannot be read: " + format::describeErrorNumber(errno)};
  }
  bytes.file_.reset();
  return bytes;
}

std::span<const uint8_t> FileBytes::read(uint64_t offset, size_t length,
                                         std::vector<uint8_t>& scratch) const {
  if (offset >= size_) return {};
  length = static_cast<size_t>(std::min<uint64_t>(length, size_ - offset));
  if (file_ == nullptr) return {held_.get() + offset, length};
  scratch.resize(length);
  return std::span(scratch).first(readFully(file_->number(), offset, scratch));
}

}  // namespace jitscope::trace::read
