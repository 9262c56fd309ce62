#include "compiler/aot/upstream_hooks.h"

#include <torch/csrc/autograd/function.h>

#include <unordered_set>
#include <vector>

namespace jitscope::compiler {

bool haveHooks(std::span<const torch::autograd::Edge> edges) {
  constexpr size_t kMostFunctions = 1000;
  std::vector<torch::autograd::Node*> queue;
  std::unordered_set<const torch::autograd::Node*> known;
  const auto add = [&](const torch::autograd::Edge& edge) {
    auto* function = edge.function.get();
    if (function != nullptr && known.insert(function).second) queue.push_back(function);
  };
  for (const auto& edge : edges) add(edge);
  for (size_t i = 0; i < queue.size() && i < kMostFunctions; ++i) {
    if (!queue[i]->tensor_pre_hooks().empty() || !queue[i]->pre_hooks().empty()) return true;
    for (const auto& edge : queue[i]->next_edges()) add(edge);
  }
  return false;
}

}  // namespace jitscope::compiler
