#include "analyzer/reports/shortened.h"

#include <algorithm>

#include "analyzer/reports/utf8.h"

namespace jitscope::analyzer {

std::string shortened(std::string_view text, size_t most) {
  size_t end = 0, beforeLast = 0;
  for (size_t count = 0; end < text.size(); ++count) {
    if (count == most) return std::string(text.substr(0, beforeLast)) + "…";
    beforeLast = end;
    end += std::max<size_t>(1, firstCharacter(text.substr(end)).length);
  }
  return std::string(text);
}

}  // namespace jitscope::analyzer
