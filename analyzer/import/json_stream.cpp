#include "analyzer/import/json_stream.h"

#include <cstring>

namespace jitscope::analyzer {
namespace {

// Smaller than a processor's cache, so that unpacking and reading meet there.
constexpr size_t kWindowBytes = 256 << 10;
constexpr size_t kLargestWindowBytes = 64 << 20;

/// Walks over one value piece by piece.
class LongValue {
 public:
  /// The position behind the value if it ends before `end`, else `end`.
  const char* walk(const char* at, const char* end) {
    for (; at < end && !hasEnded_; ++at) take(*at);
    return at;
  }

  bool hasEnded() const { return hasEnded_; }

 private:
  void take(char byte) {
    if (isEscaped_) {
      isEscaped_ = false;
    } else if (isInString_) {
      isEscaped_ = byte == '\\';
      isInString_ = byte != '"';
      hasEnded_ = !isInString_ && depth_ == 0;
    } else if (byte == '"') {
      isInString_ = true;
    } else if (byte == '{' || byte == '[') {
      ++depth_;
    } else if (byte == '}' || byte == ']') {
      hasEnded_ = --depth_ <= 0;
    }
  }

  int64_t depth_ = 0;
  bool isInString_ = false, isEscaped_ = false, hasEnded_ = false;
};

}  // namespace

JsonStream::JsonStream(InputBytes& bytes)
    : bytes_(bytes), buffer_(kWindowBytes + JsonCursor::kPadding) {
  at_ = end_ = buffer_.data();
  readMore();
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (std::string_view(at_, static_cast<size_t>(end_ - at_)).starts_with(kByteOrderMark)) {
    at_ += kByteOrderMark.size();
  }
}

bool JsonStream::isTooLong() const {
  return static_cast<size_t>(end_ - at_) >= kLargestWindowBytes;
}

/// Moves what is not yet taken to the front and fills the rest.
bool JsonStream::readMore() {
  const auto kept = static_cast<size_t>(end_ - at_);
  if (kept > 0) std::memmove(buffer_.data(), at_, kept);
  const size_t room = buffer_.size() - JsonCursor::kPadding;
  if (kept > room / 2) buffer_.resize(2 * room + JsonCursor::kPadding);
  const std::span<char> free =
      std::span(buffer_).subspan(kept, buffer_.size() - JsonCursor::kPadding - kept);
  const size_t got = bytes_.read(free);
  at_ = buffer_.data();
  end_ = at_ + kept + got;
  std::memset(buffer_.data() + kept + got, 0, JsonCursor::kPadding);
  return got > 0;
}

char JsonStream::peek() {
  while (true) {
    JsonCursor cursor(at_, end_, repairs_);
    const char next = cursor.peek();
    at_ = cursor.at();
    if (at_ < end_ || !readMore()) return next;
  }
}

void JsonStream::skipLongValue() {
  LongValue value;
  while (!value.hasEnded()) {
    at_ = value.walk(at_, end_);
    if (at_ == end_ && !value.hasEnded() && !readMore()) return;
  }
}

bool JsonStream::findNextElement() {
  // The brace that opened the broken element is no beginning.
  bool hasClosed = false, hasComma = false;
  for (++at_;; ++at_) {
    if (at_ >= end_ && !readMore()) return false;
    const char byte = *at_;
    if (byte == '}') {
      hasClosed = true;
      hasComma = false;
    } else if (byte == ',') {
      hasComma = hasClosed;
    } else if ((hasComma && byte == '{') || (hasClosed && byte == ']')) {
      return true;
    } else if (byte != ' ' && byte != '\n' && byte != '\r' && byte != '\t') {
      hasClosed = hasComma = false;
    }
  }
}

}  // namespace jitscope::analyzer
