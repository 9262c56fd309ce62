#include "trace/format/error_number.h"

#include <system_error>

namespace jitscope::trace::format {

std::string describeErrorNumber(int number) {
  std::string words = std::generic_category().message(number);
  if (!words.empty() && words[0] >= 'A' && words[0] <= 'Z') words[0] += 'a' - 'A';
  return words;
}

}  // namespace jitscope::trace::format
