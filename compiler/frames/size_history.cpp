#include "compiler/frames/size_history.h"

namespace jitscope::compiler {

bool SizeHistory::note(Dimension& known, int64_t value) {
  if (known.value != value) known.isDynamic = true;
  known.value = value;
  return known.isDynamic && !known.isPinned;
}

std::vector<bool> SizeHistory::observe(const std::string& source, c10::IntArrayRef sizes) {
  auto [it, isNew] = known_.try_emplace(source);
  std::vector<Dimension>& dimensions = it->second;
  if (isNew || dimensions.size() != sizes.size()) {
    dimensions.assign(sizes.size(), {});
    for (size_t d = 0; d < sizes.size(); ++d) dimensions[d].value = sizes[d];
  }
  std::vector<bool> isDynamic(sizes.size());
  for (size_t d = 0; d < sizes.size(); ++d) isDynamic[d] = note(dimensions[d], sizes[d]);
  return isDynamic;
}

bool SizeHistory::observeInteger(const std::string& source, int64_t value) {
  const std::vector<bool> isDynamic = observe(source, c10::IntArrayRef(value));
  return isDynamic[0];
}

void SizeHistory::pin(const std::string& source, size_t dimension) {
  const auto it = known_.find(source);
  if (it != known_.end() && dimension < it->second.size()) it->second[dimension].isPinned = true;
}

}  // namespace jitscope::compiler
