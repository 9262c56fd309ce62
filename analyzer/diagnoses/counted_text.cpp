#include "analyzer/diagnoses/counted_text.h"

#include "analyzer/units.h"

namespace jitscope::analyzer {

std::string countedText(std::string_view text, int64_t count) {
  std::string result;
  for (size_t mark = text.find_first_of("[{"); mark != std::string_view::npos;
       mark = text.find_first_of("[{")) {
    result += text.substr(0, mark);
    const bool isCount = text[mark] == '{';
    const size_t close = text.find(isCount ? '}' : ']', mark);
    const std::string_view inside = text.substr(mark + 1, close - mark - 1);
    const size_t bar = inside.find('|');
    if (isCount)
      result += countText(count);
    else
      result += count == 1 ? inside.substr(0, bar) : inside.substr(bar + 1);
    text.remove_prefix(close + 1);
  }
  return result.append(text);
}

}  // namespace jitscope::analyzer
