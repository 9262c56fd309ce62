#include "compiler/aot/graph_prefix.h"

#include "compiler/graph/traverse.h"

namespace jitscope::compiler {

Graph prefixOf(const Graph& graph, size_t count) {
  Graph prefix = graph;
  prefix.nodes.resize(count);
  prefix.outputs.clear();
  for (size_t i = count; i-- > 0 && prefix.outputs.empty();) {
    for (const NodeResult& result : prefix.nodes[i].results) {
      forEachValue(result, [&](ValueId id) {
        if (id != ValueId::kNone) prefix.outputs.push_back(id);
      });
    }
  }
  return prefix;
}

}  // namespace jitscope::compiler
