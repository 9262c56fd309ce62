#include "analyzer/import/utf16_source.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "analyzer/import/append_utf8.h"

namespace jitscope::analyzer {
namespace {

constexpr uint32_t kReplacement = 0xfffd;
constexpr std::string_view kLittleMark = "\xff\xfe", kBigMark = "\xfe\xff";

constexpr bool isHigh(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
constexpr bool isLow(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

class Utf16Source final : public ByteSource {
 public:
  explicit Utf16Source(std::unique_ptr<ByteSource> text) : source_(std::move(text)) {
    std::array<char, 2> mark{};
    source_->read(mark);
    isBig_ = std::string_view(mark.data(), mark.size()) == kBigMark;
  }

  size_t read(std::span<char> target) override {
    size_t done = 0;
    while (done < target.size()) {
      if (next_ == text_.size() && !convertMore()) break;
      const size_t size = std::min(target.size() - done, text_.size() - next_);
      std::memcpy(target.data() + done, text_.data() + next_, size);
      next_ += size;
      done += size;
    }
    return done;
  }

  std::string_view fault() const override { return source_->fault(); }

 private:
  /// Whether there was more.
  bool convertMore() {
    text_.clear();
    next_ = 0;
    while (text_.empty() && !hasEnded_) {
      std::array<char, size_t{64} << 10> raw{};
      const size_t size = source_->read(raw);
      hasEnded_ = size < raw.size();
      for (size_t i = 0; i + 1 < size; i += 2) {
        const auto first = static_cast<uint8_t>(raw[i]), second = static_cast<uint8_t>(raw[i + 1]);
        take(isBig_ ? uint32_t{first} << 8 | second : uint32_t{second} << 8 | first);
      }
      const bool isHalf = size % 2 != 0 || (hasEnded_ && high_ != 0);
      if (isHalf) appendUtf8(text_, kReplacement);
    }
    return !text_.empty();
  }

  void take(uint32_t unit) {
    const uint32_t high = std::exchange(high_, 0);
    if (high != 0 && isLow(unit)) {
      appendUtf8(text_, 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00));
      return;
    }
    if (high != 0) appendUtf8(text_, kReplacement);
    if (isHigh(unit))
      high_ = unit;
    else
      appendUtf8(text_, isLow(unit) ? kReplacement : unit);
  }

  std::unique_ptr<ByteSource> source_;
  std::string text_;  ///< converted, from `next_` on not yet given out
  size_t next_ = 0;
  uint32_t high_ = 0;  ///< the first half of a character whose second half comes next
  bool isBig_ = false, hasEnded_ = false;
};

}  // namespace

bool isUtf16(std::string_view head) {
  // Other files may begin with these bytes; text has letters of ASCII before long.
  constexpr size_t kSmallest = 4;
  if (head.size() < kSmallest) return false;
  if (head.starts_with(kLittleMark)) return head[2] != '\0' && head[3] == '\0';
  return head.starts_with(kBigMark) && head[2] == '\0' && head[3] != '\0';
}

std::unique_ptr<ByteSource> decodeUtf16(std::unique_ptr<ByteSource> text) {
  return std::make_unique<Utf16Source>(std::move(text));
}

}  // namespace jitscope::analyzer
