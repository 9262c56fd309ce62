#include "analyzer/parquet/utf8_text.h"

#include <algorithm>

#include "analyzer/reports/utf8.h"

namespace jitscope::analyzer {

std::string toUtf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const size_t length = firstCharacter(text).length;
    result += length > 0 ? text.substr(0, length) : "\xEF\xBF\xBD";
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return result;
}

}  // namespace jitscope::analyzer
