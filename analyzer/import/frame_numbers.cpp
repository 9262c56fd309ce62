#include "analyzer/import/frame_numbers.h"

namespace jitscope::analyzer {

void FrameNumbers::name(int64_t number, const FunctionPlace& function, bool isSure) {
  if (number < 0) return;
  FunctionPlace& known = functions_[number];
  if (!function.name.empty() && (known.name.empty() || isSure)) known = function;
}

int64_t FrameNumbers::numberOf(const FunctionPlace& function) {
  const auto found = found_.find(function);
  if (found != found_.end()) return found->second;
  int64_t number = -1;
  for (const auto& [known, of] : functions_) {
    if (!function.name.empty() && of == function) number = known;
  }
  if (number < 0) number = functions_.empty() ? 0 : functions_.rbegin()->first + 1;
  functions_.try_emplace(number, function);
  found_.emplace(function, number);
  return number;
}

}  // namespace jitscope::analyzer
