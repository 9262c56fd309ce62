#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "analyzer/import/json_cursor.h"

namespace jitscope::analyzer {

/// A number or a string that stands for one: ids, times. Empty when it is not there.
struct JsonScalar {
  std::string_view text;
  bool isString = false;
};

/// One element of `traceEvents`, as far as anything is made of it. Texts lie in the file's window.
struct ChromeEvent {
  JsonScalar phase, processId, threadId, start, duration;
  JsonText category, name;
  struct Arguments {
    JsonScalar externalId, correlation, device, stream, context, registers, sharedMemory, bytes;
    JsonScalar sequence, forwardThread, graphNode;
    JsonText name, syncKind, table;
    std::string_view grid, block, shapes, cells;  ///< lists as they stand
  } arguments;
};

/// Reads one object of the list. False when the cursor cannot go on.
bool readEvent(JsonCursor& cursor, ChromeEvent& event);

/// A whole number; nothing when the text is none or too large.
std::optional<int64_t> toInteger(std::string_view text);

/// A decimal number of microseconds as nanoseconds, without rounding what has three decimals.
/// Nothing when the text is no finite number. What is too large for nanoseconds ends at the limit.
std::optional<int64_t> toNanoseconds(std::string_view microseconds);

}  // namespace jitscope::analyzer
