#include "compiler/schedule/traffic.h"

#include <algorithm>
#include <set>

#include "compiler/graph/traverse.h"
#include "compiler/loops/element_type.h"
#include "compiler/schedule/nest_rewriter.h"

namespace jitscope::compiler {
namespace {

/// The points of the loops that an address depends on.
int64_t footprint(const LoopProgram& program, const LoopNest& nest, const Index& address) {
  int64_t points = 1;
  for (size_t i = 0; i < nest.sizes.size(); ++i) {
    if (address.uses(LoopId(i))) points *= nest.sizes[i].evaluate(program.hints);
  }
  return points;
}

std::vector<int64_t> hintsOf(const Graph& graph) {
  std::vector<int64_t> hints;
  hints.reserve(graph.symbols.size());
  for (const GraphSymbol& symbol : graph.symbols) hints.push_back(symbol.hint);
  return hints;
}

/// Elements in memory: a dimension that an expanded tensor repeats is there once.
int64_t elementsInMemory(const TensorType& type, const std::vector<int64_t>& hints) {
  int64_t count = 1;
  for (size_t i = 0; i < type.sizes.size(); ++i) {
    const bool isRepeated = type.strides[i].evaluate(hints) == 0;
    const int64_t size = type.sizes[i].evaluate(hints);
    if (!isRepeated || size == 0) count *= size;
  }
  return count;
}

int64_t bytesOf(const TensorType& type) {
  const auto element = elementTypeOf(type.dataType);
  return element ? sizeBytes(*element) : 8;
}

bool isView(std::string_view op) {
  // Those that give another look at their argument's memory.
  static const std::set<std::string_view> kViews{"aten::permute",
                                                 "aten::transpose",
                                                 "aten::t",
                                                 "aten::numpy_T",
                                                 "aten::mT",
                                                 "aten::expand",
                                                 "aten::expand_as",
                                                 "aten::view",
                                                 "aten::reshape",
                                                 "aten::_unsafe_view",
                                                 "aten::view_as",
                                                 "aten::flatten",
                                                 "aten::unflatten",
                                                 "aten::slice",
                                                 "aten::narrow",
                                                 "aten::select",
                                                 "aten::unsqueeze",
                                                 "aten::squeeze",
                                                 "aten::split",
                                                 "aten::chunk",
                                                 "aten::unbind",
                                                 "aten::detach",
                                                 "aten::alias",
                                                 "aten::movedim",
                                                 "aten::swapaxes",
                                                 "aten::diagonal",
                                                 "aten::unfold",
                                                 "aten::as_strided",
                                                 "aten::split_with_sizes"};
  return kViews.contains(op);
}

}  // namespace

Traffic& Traffic::operator+=(const Traffic& other) {
  elementsRead += other.elementsRead;
  elementsWritten += other.elementsWritten;
  bytesRead += other.bytesRead;
  bytesWritten += other.bytesWritten;
  return *this;
}

std::map<BufferId, int64_t> elementsRead(const LoopProgram& program, const LoopNest& nest) {
  std::map<BufferId, int64_t> elements;
  forEachScalar(program, nest, [&](ScalarId id) {
    const Scalar& scalar = program.body[id];
    if (scalar.op != ScalarOp::kLoad) return;
    elements[scalar.buffer] += footprint(program, nest, scalar.index);
  });
  for (auto& [id, count] : elements) {
    // A buffer whose elements repeat in memory holds fewer than its sizes say.
    const LoopBuffer& buffer = program.buffer(id);
    int64_t held = 1;
    for (size_t i = 0; i < buffer.sizes.size(); ++i) {
      if (!buffer.strides[i].is(0)) held *= buffer.sizes[i].evaluate(program.hints);
    }
    count = std::min(count, held);
  }
  return elements;
}

Traffic trafficOf(const LoopProgram& program, const LoopNest& nest) {
  Traffic traffic;
  for (const auto& [id, count] : elementsRead(program, nest)) {
    traffic.elementsRead += count;
    traffic.bytesRead += count * sizeBytes(program.buffer(id).type);
  }
  for (const LoopStore& store : nest.stores) {
    const int64_t count = elementCount(program.buffer(store.buffer)).evaluate(program.hints);
    traffic.elementsWritten += count;
    traffic.bytesWritten += count * sizeBytes(program.buffer(store.buffer).type);
  }
  return traffic;
}

Traffic trafficOf(const Graph& graph, const Node& node) {
  Traffic traffic;
  if (isView(node.op)) return traffic;
  const auto hints = hintsOf(graph);
  std::set<ValueId> read, written;
  const auto addTo = [](std::set<ValueId>& set) {
    return [&set](ValueId id) {
      if (id != ValueId::kNone) set.insert(id);
    };
  };
  for (const Argument& argument : node.arguments) forEachValue(argument.value, addTo(read));
  for (const NodeResult& result : node.results) forEachValue(result, addTo(written));
  for (const ValueId id : read) {
    const TensorType& type = graph.value(id).type;
    traffic.elementsRead += elementsInMemory(type, hints);
    traffic.bytesRead += elementsInMemory(type, hints) * bytesOf(type);
  }
  for (const ValueId id : written) {
    // What gives its argument back moves nothing.
    if (read.contains(id)) return {};
    const TensorType& type = graph.value(id).type;
    traffic.elementsWritten += elementsInMemory(type, hints);
    traffic.bytesWritten += elementsInMemory(type, hints) * bytesOf(type);
  }
  return traffic;
}

Traffic trafficOf(const LoopProgram& program, const Graph& graph) {
  Traffic traffic;
  for (const LoopStep& step : program.steps) {
    if (const auto* call = std::get_if<OpaqueCall>(&step)) {
      traffic += trafficOf(graph, graph.nodes[call->node]);
    } else {
      traffic += trafficOf(program, std::get<LoopNest>(step));
    }
  }
  return traffic;
}

Traffic eagerTraffic(const Graph& graph) {
  Traffic traffic;
  for (const Node& node : graph.nodes) traffic += trafficOf(graph, node);
  return traffic;
}

}  // namespace jitscope::compiler
