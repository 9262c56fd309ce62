#include "analyzer/import/input_bytes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "analyzer/errno_text.h"
#include "analyzer/import/utf16_source.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

constexpr size_t kHeadBytes = 64 << 10;
constexpr uint64_t kProgressBytes = 1 << 20;
// No real trace packs better than a hundredth; a bomb packs to a thousandth and less.
constexpr uint64_t kFreelyUnpackedBytes = 256 << 20;
constexpr uint64_t kMostUnpackedPerByte = 200;

/// The bytes of a file as they stand on disk when it is opened: one that grows as fast as it is
/// read has an end too. Files without a size, as the system makes them, are read to their end.
class FileSource final : public ByteSource {
 public:
  FileSource(int descriptor, uint64_t size, const LoadOptions& options)
      : descriptor_(descriptor), size_(size), options_(options) {}
  ~FileSource() override { ::close(descriptor_); }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  size_t read(std::span<char> target) override {
    size_t done = 0;
    while (done < target.size() && fault_.empty()) {
      const uint64_t left = size_ == 0 ? kProgressBytes : size_ - std::min(done_, size_);
      if (left == 0) break;
      const size_t wanted = std::min<uint64_t>({target.size() - done, kProgressBytes, left});
      const ssize_t got = ::read(descriptor_, target.data() + done, wanted);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fault_ = "cannot be read: " + errnoText(errno);
      if (got <= 0) break;
      done += static_cast<size_t>(got);
      tell(static_cast<size_t>(got));
    }
    return done;
  }

  std::string_view fault() const override { return fault_; }
  uint64_t doneBytes() const { return done_; }
  std::stop_token stop() const { return options_.stop; }

 private:
  void tell(size_t bytes) {
    done_ += bytes;
    if (options_.progress) options_.progress(done_, std::max(done_, size_));
    if (options_.stop.stop_requested()) fault_ = "stopped";
  }

  int descriptor_;
  uint64_t size_, done_ = 0;
  LoadOptions options_;
  std::string fault_;
};

/// Bytes in front of a source, which were read from it to look at them.
class Unread final : public ByteSource {
 public:
  Unread(std::string head, std::unique_ptr<ByteSource> rest)
      : head_(std::move(head)), rest_(std::move(rest)) {}

  size_t read(std::span<char> target) override {
    const size_t fromHead = std::min(target.size(), head_.size() - next_);
    if (fromHead > 0) std::memcpy(target.data(), head_.data() + next_, fromHead);
    next_ += fromHead;
    if (fromHead == target.size() || rest_ == nullptr) return fromHead;
    return fromHead + rest_->read(target.subspan(fromHead));
  }

  std::string_view fault() const override {
    return rest_ == nullptr ? std::string_view() : rest_->fault();
  }

 private:
  std::string head_;
  size_t next_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

std::string readHead(ByteSource& source) {
  std::string head(kHeadBytes, '\0');
  head.resize(source.read(head));
  return head;
}

trace::Result<std::unique_ptr<FileSource>> openFile(const std::filesystem::path& path,
                                                    const LoadOptions& options) {
  // O_NONBLOCK: a pipe without a writer must not hold us up before we can refuse it.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return trace::Error{"cannot be opened: " + errnoText(errno)};
  struct stat status {};
  const bool isKnown = fstat(descriptor, &status) == 0;
  auto source = std::make_unique<FileSource>(
      descriptor, isKnown ? static_cast<uint64_t>(status.st_size) : 0, options);
  if (!isKnown) return trace::Error{"cannot be read: " + errnoText(errno)};
  if (S_ISDIR(status.st_mode)) return trace::Error{"cannot be read: is a folder"};
  if (!S_ISREG(status.st_mode)) return trace::Error{"cannot be read: not a regular file"};
  return source;
}

}  // namespace

class InputBytes::Stream {
 public:
  Stream(std::filesystem::path path, std::unique_ptr<ByteSource> packed, FileSource* file,
         uint64_t mostBytes)
      : path_(std::move(path)), file_(file), mostBytes_(mostBytes) {
    std::string packedHead = readHead(*packed);
    encoding_ = encodingOf(packedHead);
    source_ = decode(encoding_, std::make_unique<Unread>(std::move(packedHead), std::move(packed)));
    head_ = readHead(*source_);
    if (isUtf16(head_)) {
      source_ = decodeUtf16(std::make_unique<Unread>(std::move(head_), std::move(source_)));
      head_ = readHead(*source_);
    }
    if (isPacked() && mostBytes_ != 0 && head_.size() > mostBytes_) {
      head_.resize(mostBytes_);
      fault_ = tooMuch(mostBytes_);
    }
  }

  size_t read(std::span<char> target) {
    const size_t fromHead = std::min<uint64_t>(
        target.size(), head_.size() - std::min<uint64_t>(position_, head_.size()));
    if (fromHead > 0) std::memcpy(target.data(), head_.data() + position_, fromHead);
    position_ += fromHead;
    if (fromHead == target.size() || !fault_.empty()) return fromHead;
    const size_t fromSource = readSource(target.subspan(fromHead));
    position_ += fromSource;
    return fromHead + fromSource;
  }

  const std::filesystem::path& path() const { return path_; }
  Encoding encoding() const { return encoding_; }
  std::string_view head() const { return head_; }
  uint64_t position() const { return position_; }
  std::stop_token stop() const { return file_ == nullptr ? std::stop_token() : file_->stop(); }
  std::string_view fault() const { return fault_.empty() ? source_->fault() : fault_; }

 private:
  bool isPacked() const { return encoding_ != Encoding::kNone; }

  static std::string tooMuch(uint64_t most) {
    return "unpacks to more than " + bytesText(static_cast<int64_t>(most));
  }

  /// What may be unpacked, as far as the packed bytes have been read.
  uint64_t mostUnpacked() const {
    if (mostBytes_ != 0) return mostBytes_;
    const uint64_t packedBytes = file_ == nullptr ? 0 : file_->doneBytes();
    return std::max(kFreelyUnpackedBytes, kMostUnpackedPerByte * packedBytes);
  }

  /// Reads behind the head, and of packed bytes no more than the limit, however large the piece.
  size_t readSource(std::span<char> target) {
    if (!isPacked()) return source_->read(target);
    size_t size = 0;
    if (mostBytes_ == 0) {
      size = source_->read(target);
    } else {
      const uint64_t left = mostBytes_ - std::min(position_, mostBytes_);
      size = source_->read(target.first(std::min<uint64_t>(target.size(), left)));
      if (size < target.size() && size == left && hasMore()) fault_ = tooMuch(mostBytes_);
    }
    if (position_ + size > mostUnpacked()) fault_ = tooMuch(mostUnpacked());
    return size;
  }

  /// Whether bytes are left at the limit; takes one.
  bool hasMore() {
    char next = 0;
    return source_->read(std::span(&next, 1)) > 0;
  }

  std::filesystem::path path_;
  FileSource* file_;  ///< the innermost source, owned by `source_`; null when there is no file
  uint64_t mostBytes_;
  Encoding encoding_ = Encoding::kNone;
  std::unique_ptr<ByteSource> source_;
  std::string head_;
  uint64_t position_ = 0;
  std::string fault_;
};

InputBytes::InputBytes(std::unique_ptr<Stream> stream) : stream_(std::move(stream)) {}
InputBytes::~InputBytes() = default;
InputBytes::InputBytes(InputBytes&&) noexcept = default;
InputBytes& InputBytes::operator=(InputBytes&&) noexcept = default;

trace::Result<InputBytes> InputBytes::open(const std::filesystem::path& path,
                                           const LoadOptions& options) {
  trace::Result<std::unique_ptr<FileSource>> file = openFile(path, options);
  if (!file) return file.error();
  FileSource* const innermost = file->get();
  return InputBytes(
      std::make_unique<Stream>(path, std::move(*file), innermost, options.mostUnpackedBytes));
}

InputBytes InputBytes::of(std::string_view bytes) {
  return InputBytes(std::make_unique<Stream>(
      std::filesystem::path(), std::make_unique<Unread>(std::string(bytes), nullptr), nullptr, 0));
}

const std::filesystem::path& InputBytes::path() const { return stream_->path(); }
Encoding InputBytes::encoding() const { return stream_->encoding(); }
std::string_view InputBytes::head() const { return stream_->head(); }
size_t InputBytes::read(std::span<char> target) { return stream_->read(target); }
uint64_t InputBytes::position() const { return stream_->position(); }
std::stop_token InputBytes::stop() const { return stream_->stop(); }
std::string_view InputBytes::fault() const { return stream_->fault(); }

}  // namespace jitscope::analyzer
