#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

/// \file
/// A reader of JSON that takes what other tools write although it is none. Functions stand in the
/// header because they run for every byte of gigabytes: called across files they are half as fast.
namespace jitscope::analyzer {

/// How often something was taken that JSON does not allow.
struct JsonRepairs {
  int64_t quotes = 0;    ///< quotes in strings without a backslash
  int64_t escapes = 0;   ///< backslashes that begin no escape, as in Windows paths
  int64_t controls = 0;  ///< control characters in strings
  int64_t words = 0;     ///< bare words: NaN, inf, N/A
  int64_t commas = 0;    ///< commas too many or too few
};

/// A string as it stands between its quotes.
struct JsonText {
  std::string_view raw;
  bool hasEscapes = false;
};

/// What the text means. `scratch` holds the result when it is not `raw` itself. Escapes that are
/// none stay as they are.
std::string_view decode(const JsonText& text, std::string& scratch);

/// Appends the character of `\uXXXX`, or of a pair of them, at the start of `text` and gives the
/// length of the escape; 0 when it is none. Half of a pair becomes U+FFFD.
size_t appendUnicode(std::string& target, std::string_view text);

/// `text` from its first letter on that JSON does not take for blank.
std::string_view behindBlanks(std::string_view text);

/// Where JSON begins: behind a byte order mark and blanks.
std::string_view jsonOf(std::string_view head);

/// A table of all bytes in which those of `bytes` are marked.
constexpr std::array<bool, 256> markBytes(std::string_view bytes) {
  std::array<bool, 256> marks{};
  for (const char byte : bytes) marks[static_cast<uint8_t>(byte)] = true;
  return marks;
}

/// Walks over JSON in memory. At `end` stands a NUL byte and behind it kPadding bytes that may be
/// read. Each function returns false when it cannot go on; `hasRunOut` then tells whether more
/// bytes could help. Never recurses, whatever the nesting.
class JsonCursor {
 public:
  static constexpr size_t kPadding = 16;

  JsonCursor(const char* at, const char* end, JsonRepairs& repairs)
      : at_(at), end_(end), repairs_(repairs) {}

  const char* at() const { return at_; }
  bool hasRunOut() const { return ranOut_ || at_ >= end_; }

  void skipBlanks() {
    while (kIsBlank[static_cast<uint8_t>(*at_)]) ++at_;
  }

  /// The next byte that is no blank, without taking it; NUL at the end.
  char peek() {
    skipBlanks();
    return *at_;
  }

  /// Takes `wanted` if it is next.
  bool take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  /// Takes a string, whose opening quote is next.
  bool readText(JsonText& text) {
    if (*at_ != '"') return false;
    const char* const start = ++at_;
    text.hasEscapes = false;
    for (const char* next = start;;) {
      next = findSpecial(next);
      if (*next == '"') {
        if (endsString(next + 1)) {
          text.raw = {start, static_cast<size_t>(next - start)};
          at_ = next + 1;
          return true;
        }
        if (ranOut_) return false;
        ++repairs_.quotes;
        ++next;
      } else if (*next == '\\') {
        text.hasEscapes = true;
        next += escapeLength(next);
      } else if (next >= end_) {
        ranOut_ = true;
        return false;
      } else {
        ++repairs_.controls;
        ++next;
      }
    }
  }

  /// Takes a number or word as it stands.
  bool readWord(std::string_view& word) {
    const char* const start = at_;
    while (!kEndsWord[static_cast<uint8_t>(*at_)]) ++at_;
    if (at_ >= end_) ranOut_ = true;
    word = {start, static_cast<size_t>(at_ - start)};
    return !word.empty() && !ranOut_;
  }

  /// Takes a value that is a number or a word; counts the words that JSON does not know.
  bool readWordValue(std::string_view& word) {
    if (!readWord(word)) return false;
    if (isBareWord(word)) ++repairs_.words;
    return true;
  }

  /// Steps over any value.
  bool skipValue() {
    const char first = peek();
    if (first == '"') {
      JsonText ignored;
      return readText(ignored);
    }
    if (first == '{' || first == '[') return skipNested();
    std::string_view word;
    return readWordValue(word);
  }

  /// Steps over any value and gives it as it stands.
  bool readRaw(std::string_view& raw) {
    skipBlanks();
    const char* const start = at_;
    if (!skipValue()) return false;
    raw = {start, static_cast<size_t>(at_ - start)};
    return true;
  }

  /// Inside of an object, before a member: takes its key and the colon. False at the end of the
  /// object, whose brace is then taken and `isEnd` true.
  bool readKey(std::string_view& key, bool& isEnd) {
    isEnd = false;
    char next = peek();
    bool hasComma = false;
    for (; next == ','; next = peek()) {
      if (hasComma) ++repairs_.commas;
      hasComma = true;
      ++at_;
    }
    if (next == '}') {
      if (hasComma) ++repairs_.commas;
      isEnd = true;
      ++at_;
      return false;
    }
    JsonText text;
    if (!readText(text) || !take(':')) return false;
    key = text.raw;
    skipBlanks();
    return true;
  }

 private:
  static constexpr std::array<bool, 256> kIsBlank = markBytes(" \t\r\n");
  static constexpr std::array<bool, 256> kEndsWord =
      markBytes(std::string_view(" \t\r\n,:]}[{\"\0", 12));

  static bool isBareWord(std::string_view word) {
    const char first = word.front() == '-' && word.size() > 1 ? word[1] : word.front();
    if (first >= '0' && first <= '9') return false;
    return word != "true" && word != "false" && word != "null";
  }

  /// The next quote, backslash or control character; the NUL at the end at the latest.
  static const char* findSpecial(const char* at) {
#if defined(__SSE2__)
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i lastControl = _mm_set1_epi8(0x1f);
    for (;; at += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
      const __m128i found =
          _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, backslash)),
                       _mm_cmpeq_epi8(_mm_min_epu8(bytes, lastControl), bytes));
      const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(found));
      if (mask != 0) return at + std::countr_zero(mask);
    }
#else
    while (*at != '"' && *at != '\\' && static_cast<uint8_t>(*at) > 0x1f) ++at;
    return at;
#endif
  }

  /// Whether a string can end in front of `next`: what follows must be JSON's, or the quote was
  /// meant as a letter.
  bool endsString(const char* next) {
    while (kIsBlank[static_cast<uint8_t>(*next)]) ++next;
    if (next >= end_) ranOut_ = true;
    return *next == ',' || *next == ':' || *next == '}' || *next == ']';
  }

  /// How many bytes to step over from a backslash on.
  size_t escapeLength(const char* backslash) {
    constexpr std::string_view kEscapes = "\"\\/bfnrtu";
    if (backslash[1] != '\0' && kEscapes.find(backslash[1]) != std::string_view::npos) return 2;
    ++repairs_.escapes;
    return 1;
  }

  bool skipNested() {
    int64_t depth = 0;
    do {
      switch (*at_) {
        case '"': {
          JsonText ignored;
          if (!readText(ignored)) return false;
          continue;
        }
        case '{':
        case '[':
          ++depth;
          break;
        case '}':
        case ']':
          --depth;
          break;
        case '\0':
          if (hasRunOut()) return false;
          break;
        default:
          skipPlain();
          continue;
      }
      ++at_;
    } while (depth > 0);
    return true;
  }

  /// Steps over blanks, commas, colons, numbers and words.
  void skipPlain() {
    if (kBeginsWord[static_cast<uint8_t>(*at_)]) {
      std::string_view word;
      if (readWord(word) && isBareWord(word)) ++repairs_.words;
      if (!word.empty()) return;
    }
    ++at_;
  }

  static constexpr std::array<bool, 256> kBeginsWord =
      markBytes("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-+.");

  const char* at_;
  const char* end_;
  JsonRepairs& repairs_;
  bool ranOut_ = false;
};

}  // namespace jitscope::analyzer
