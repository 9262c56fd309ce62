#include "analyzer/import/import.h"

#include <algorithm>

#include "analyzer/sum.h"

namespace jitscope::analyzer {

void Import::count(std::string_view name, int64_t amount) {
  for (InputCount& each : counts_) {
    if (each.name != name) continue;
    if (int64_t* const known = std::get_if<int64_t>(&each.amount)) *known = sumOf(*known, amount);
    return;
  }
  counts_.push_back({std::string(name), amount});
}

void Import::measure(std::string_view name, double amount) {
  counts_.push_back({std::string(name), amount});
}

void Import::lose(InputLossKind kind, std::string_view place, std::string_view text,
                  int64_t amount) {
  if (amount == 0) return;
  for (InputLoss& each : losses_) {
    if (each.kind != kind || each.place != place || each.text != text) continue;
    each.amount = sumOf(each.amount, amount);
    return;
  }
  losses_.push_back({kind, std::string(place), std::string(text), amount});
}

bool Import::isCut() const {
  return std::any_of(losses_.begin(), losses_.end(),
                     [](const InputLoss& loss) { return loss.kind == InputLossKind::kCut; });
}

}  // namespace jitscope::analyzer
