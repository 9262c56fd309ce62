#include "analyzer/import/decoder.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <vector>

namespace jitscope::analyzer {
namespace {

constexpr size_t kPackedBytes = 256 << 10;

/// What both unpackers share: packed bytes that are read on when they run out.
class PackedBytes {
 public:
  explicit PackedBytes(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), buffer_(kPackedBytes) {}

  /// What is not yet unpacked; empty at the end.
  std::span<const char> get() {
    if (next_ == end_) {
      next_ = 0;
      end_ = source_->read(buffer_);
    }
    return std::span<const char>(buffer_).subspan(next_, end_ - next_);
  }

  void take(size_t bytes) { next_ += bytes; }
  std::string_view fault() const { return source_->fault(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  size_t next_ = 0, end_ = 0;
};

class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed) : packed_(std::move(packed)) {
    constexpr int kGzipWindow = 15 + 16;
    isReady_ = inflateInit2(&stream_, kGzipWindow) == Z_OK;
    if (!isReady_) fault_ = "gzip: not enough memory";
  }
  ~GzipSource() override {
    if (isReady_) inflateEnd(&stream_);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  size_t read(std::span<char> target) override {
    size_t done = 0;
    while (done < target.size() && !hasEnded_ && fault_.empty()) {
      const std::span<const char> packed = packed_.get();
      if (packed.empty()) {
        if (!isAtStart_) fault_ = packed_.fault().empty() ? "gzip: cut short" : packed_.fault();
        hasEnded_ = true;
        break;
      }
      done += unpack(packed, target.subspan(done));
    }
    return done;
  }

  std::string_view fault() const override { return fault_; }

 private:
  size_t unpack(std::span<const char> packed, std::span<char> target) {
    // zlib does not write to its input, but its interface says so only since version 1.2.
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    stream_.next_out = reinterpret_cast<Bytef*>(target.data());
    const size_t room = std::min<size_t>(target.size(), 1u << 30);
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    packed_.take(packed.size() - stream_.avail_in);
    if (status == Z_STREAM_END) {
      // Members may follow each other; other bytes behind the last one are padding.
      inflateReset(&stream_);
      isAtStart_ = true;
      hasMember_ = true;
    } else if (status == Z_OK || status == Z_BUF_ERROR) {
      isAtStart_ = false;
    } else if (isAtStart_ && hasMember_) {
      hasEnded_ = true;
    } else {
      fault_ = std::string("gzip: ") + (stream_.msg != nullptr ? stream_.msg : "damaged");
    }
    return room - stream_.avail_out;
  }

  PackedBytes packed_;
  z_stream stream_{};
  bool isReady_ = false, isAtStart_ = true, hasMember_ = false, hasEnded_ = false;
  std::string fault_;
};

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> packed)
      : packed_(std::move(packed)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) fault_ = "zstd: not enough memory";
  }
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;

  size_t read(std::span<char> target) override {
    ZSTD_outBuffer out{target.data(), target.size(), 0};
    while (out.pos < out.size && !hasEnded_ && fault_.empty()) {
      const std::span<const char> packed = packed_.get();
      if (packed.empty()) {
        if (isInFrame_) fault_ = packed_.fault().empty() ? "zstd: cut short" : packed_.fault();
        hasEnded_ = true;
        break;
      }
      ZSTD_inBuffer in{packed.data(), packed.size(), 0};
      const size_t left = ZSTD_decompressStream(stream_, &out, &in);
      packed_.take(in.pos);
      if (ZSTD_isError(left) != 0) fault_ = std::string("zstd: ") + ZSTD_getErrorName(left);
      isInFrame_ = left != 0;
    }
    return out.pos;
  }

  std::string_view fault() const override { return fault_; }

 private:
  PackedBytes packed_;
  ZSTD_DStream* stream_;
  bool isInFrame_ = false, hasEnded_ = false;
  std::string fault_;
};

}  // namespace

Encoding encodingOf(std::string_view head) {
  if (head.starts_with("\x1f\x8b")) return Encoding::kGzip;
  if (head.starts_with("\x28\xb5\x2f\xfd")) return Encoding::kZstd;
  return Encoding::kNone;
}

std::unique_ptr<ByteSource> decode(Encoding encoding, std::unique_ptr<ByteSource> packed) {
  switch (encoding) {
    case Encoding::kNone:
      return packed;
    case Encoding::kGzip:
      return std::make_unique<GzipSource>(std::move(packed));
    case Encoding::kZstd:
      return std::make_unique<ZstdSource>(std::move(packed));
  }
  return packed;
}

}  // namespace jitscope::analyzer
