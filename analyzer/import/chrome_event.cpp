#include "analyzer/import/chrome_event.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "analyzer/is_digit.h"

namespace jitscope::analyzer {
namespace {

using Arguments = ChromeEvent::Arguments;

/// What the value of a key goes into; all null for a key of which nothing is made.
struct Target {
  JsonScalar* scalar = nullptr;
  JsonText* text = nullptr;
  std::string_view* raw = nullptr;
  bool isArguments = false;
};

Target scalarTo(JsonScalar& scalar) { return {.scalar = &scalar}; }
Target textTo(JsonText& text) { return {.text = &text}; }
Target rawTo(std::string_view& raw) { return {.raw = &raw}; }

/// Keys are told apart by their length first: most differ in it.
Target eventTarget(ChromeEvent& event, std::string_view key) {
  switch (key.size()) {
    case 2:
      if (key == "ph") return scalarTo(event.phase);
      if (key == "ts") return scalarTo(event.start);
      break;
    case 3:
      if (key == "cat") return textTo(event.category);
      if (key == "pid") return scalarTo(event.processId);
      if (key == "tid") return scalarTo(event.threadId);
      if (key == "dur") return scalarTo(event.duration);
      break;
    case 4:
      if (key == "name") return textTo(event.name);
      if (key == "args") return {.isArguments = true};
      break;
    default:
      break;
  }
  return {};
}

Target shortArgument(Arguments& arguments, std::string_view key) {
  switch (key.size()) {
    case 4:
      if (key == "grid") return rawTo(arguments.grid);
      if (key == "name") return textTo(arguments.name);
      break;
    case 5:
      if (key == "block") return rawTo(arguments.block);
      if (key == "table") return textTo(arguments.table);
      if (key == "cells") return rawTo(arguments.cells);
      if (key == "bytes" || key == "Bytes") return scalarTo(arguments.bytes);
      break;
    case 6:
      if (key == "device") return scalarTo(arguments.device);
      if (key == "stream") return scalarTo(arguments.stream);
      break;
    case 7:
      if (key == "context") return scalarTo(arguments.context);
      break;
    default:
      break;
  }
  return {};
}

Target argumentTarget(Arguments& arguments, std::string_view key) {
  switch (key.size()) {
    case 10:
      // Older versions write the second form.
      if (key == "Input Dims" || key == "Input dims") return rawTo(arguments.shapes);
      break;
    case 11:
      if (key == "correlation") return scalarTo(arguments.correlation);
      if (key == "External id") return scalarTo(arguments.externalId);
      break;
    case 13:
      if (key == "shared memory") return scalarTo(arguments.sharedMemory);
      if (key == "graph node id") return scalarTo(arguments.graphNode);
      if (key == "Fwd thread id") return scalarTo(arguments.forwardThread);
      break;
    case 14:
      if (key == "cuda_sync_kind") return textTo(arguments.syncKind);
      break;
    case 15:
      if (key == "Sequence number") return scalarTo(arguments.sequence);
      break;
    case 20:
      if (key == "registers per thread") return scalarTo(arguments.registers);
      break;
    default:
      return shortArgument(arguments, key);
  }
  return {};
}

bool readScalar(JsonCursor& cursor, JsonScalar& scalar) {
  const char first = cursor.peek();
  scalar.isString = first == '"';
  if (first == '{' || first == '[') return cursor.skipValue();
  if (!scalar.isString) return cursor.readWordValue(scalar.text);
  JsonText text;
  if (!cursor.readText(text)) return false;
  scalar.text = text.raw;
  return true;
}

bool readTarget(JsonCursor& cursor, const Target& target) {
  if (target.scalar != nullptr) return readScalar(cursor, *target.scalar);
  if (target.raw != nullptr) return cursor.readRaw(*target.raw);
  if (target.text == nullptr) return cursor.skipValue();
  if (cursor.peek() == '"') return cursor.readText(*target.text);
  target.text->hasEscapes = false;
  return cursor.readRaw(target.text->raw);
}

bool readArguments(JsonCursor& cursor, Arguments& arguments) {
  if (!cursor.take('{')) return cursor.skipValue();
  bool isEnd = false;
  for (std::string_view key; cursor.readKey(key, isEnd);) {
    if (!readTarget(cursor, argumentTarget(arguments, key))) return false;
  }
  return isEnd;
}

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

/// Numbers with an exponent, with too many digits, or none at all.
std::optional<int64_t> toNanosecondsSlowly(std::string_view text) {
  double value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem == std::errc::result_out_of_range) return text.front() == '-' ? -kMost : kMost;
  if (problem != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return {};
  value *= 1000;
  constexpr double kLimit = 9.2e18;
  if (value >= kLimit) return kMost;
  if (value <= -kLimit) return -kMost;
  return std::llround(value);
}

}  // namespace

bool readEvent(JsonCursor& cursor, ChromeEvent& event) {
  event = {};
  if (!cursor.take('{')) return false;
  bool isEnd = false;
  for (std::string_view key; cursor.readKey(key, isEnd);) {
    const Target target = eventTarget(event, key);
    const bool isRead =
        target.isArguments ? readArguments(cursor, event.arguments) : readTarget(cursor, target);
    if (!isRead) return false;
  }
  return isEnd;
}

std::optional<int64_t> toInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

std::optional<int64_t> toNanoseconds(std::string_view text) {
  if (text.empty()) return {};
  const bool isNegative = text.front() == '-';
  size_t at = isNegative ? 1 : 0;
  constexpr int64_t kLargestWhole = kMost / 1000 - 1;  // what fits with three decimals
  const size_t firstDigit = at;
  int64_t value = 0;
  for (; at < text.size() && isDigit(text[at]); ++at) {
    value = 10 * value + (text[at] - '0');
    if (value > kLargestWhole) return toNanosecondsSlowly(text);
  }
  if (at == firstDigit) return toNanosecondsSlowly(text);
  if (at < text.size() && text[at] == '.') {
    ++at;
    int decimals = 0;
    for (; at < text.size() && isDigit(text[at]); ++at, ++decimals) {
      if (decimals < 3) value = 10 * value + (text[at] - '0');
      if (decimals == 3 && text[at] >= '5') ++value;
    }
    for (; decimals < 3; ++decimals) value *= 10;
  } else {
    value *= 1000;
  }
  if (at != text.size()) return toNanosecondsSlowly(text);
  return isNegative ? -value : value;
}

}  // namespace jitscope::analyzer
