#include "compiler/loops/graph_lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

// Beyond this, computing a value again at each use costs more than loading it.
constexpr int64_t kMostSharedLoads = 4, kMostSharedOperations = 30, kMostOperations = 200;

std::vector<Index> indexesOf(const std::vector<SizeExpression>& sizes) {
  std::vector<Index> result;
  result.reserve(sizes.size());
  for (const SizeExpression& size : sizes) result.push_back(Index::of(size));
  return result;
}

std::vector<Index> contiguousStrides(const std::vector<Index>& sizes) {
  std::vector<Index> strides(sizes.size());
  Index stride(1);
  for (size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride = stride * sizes[i];
  }
  return strides;
}

/// The dimensions from the outermost in memory to the innermost.
std::vector<size_t> memoryOrder(const LoopBuffer& buffer, const std::vector<int64_t>& hints) {
  std::vector<size_t> order(buffer.sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t left, size_t right) {
    return buffer.strides[left].evaluate(hints) > buffer.strides[right].evaluate(hints);
  });
  return order;
}

Index addressOf(const LoopBuffer& buffer, std::span<const Index> coordinates) {
  Index address;
  for (size_t i = 0; i < coordinates.size(); ++i) {
    address += coordinates[i] * buffer.strides[i];
  }
  return address;
}

LoweredTensor::Load loadFrom(BufferId id) {
  return [id](PointBuilder& point, std::span<const Index> coordinates) {
    return point.load(id, addressOf(point.program().buffer(id), coordinates));
  };
}

bool isOnOneDevice(const Graph& graph, const Node& node) {
  std::vector<DeviceName> devices;
  const auto see = [&](ValueId id) {
    if (id != ValueId::kNone) devices.push_back(graph.value(id).type.device);
  };
  for (const Argument& argument : node.arguments) forEachValue(argument.value, see);
  for (const NodeResult& result : node.results) forEachValue(result, see);
  return std::all_of(devices.begin(), devices.end(),
                     [&](const DeviceName& device) { return device == devices.front(); });
}

}  // namespace

GraphLowering::GraphLowering(const Graph& graph)
    : graph_(graph),
      tensors_(graph.values.size()),
      uses_(graph.values.size()),
      isNeeded_(graph.values.size()),
      isAvailable_(graph.values.size()) {
  for (const GraphSymbol& symbol : graph.symbols) program_.hints.push_back(symbol.hint);
  findNeeded();
}

void GraphLowering::findNeeded() {
  for (const Node& node : graph_.nodes) {
    const bool isOpaque = loweringRule(node.op) == nullptr;
    for (const Argument& argument : node.arguments) {
      forEachValue(argument.value, [&](ValueId id) {
        if (id == ValueId::kNone) return;
        ++uses_[static_cast<size_t>(id)];
        if (isOpaque) isNeeded_[static_cast<size_t>(id)] = true;
      });
    }
  }
  for (const ValueId id : graph_.outputs) isNeeded_[static_cast<size_t>(id)] = true;
}

LoopProgram GraphLowering::lower() {
  for (const GraphInput& input : graph_.inputs) {
    isAvailable_[static_cast<size_t>(input.value)] = true;
    tensors_[static_cast<size_t>(input.value)] = inputTensor(input.value);
  }
  for (size_t i = 0; i < graph_.nodes.size(); ++i) lowerNode(i);
  for (const ValueId id : graph_.outputs) makeAvailable(id);
  return std::move(program_);
}

LoweredRef GraphLowering::inputTensor(ValueId id) {
  const TensorType& type = graph_.value(id).type;
  const auto element = elementTypeOf(type.dataType);
  if (!element) return nullptr;
  auto tensor = std::make_shared<LoweredTensor>();
  tensor->sizes = indexesOf(type.sizes);
  tensor->type = *element;
  addBuffer(*tensor, id);
  return tensor;
}

LoweredRef GraphLowering::tensor(ValueId id) { return tensors_[static_cast<size_t>(id)]; }

BufferId GraphLowering::addBuffer(LoweredTensor& tensor, ValueId value) {
  LoopBuffer buffer;
  const auto id = static_cast<BufferId>(program_.buffers.size());
  buffer.type = tensor.type;
  buffer.sizes = tensor.sizes;
  buffer.value = value;
  buffer.device = value != ValueId::kNone ? graph_.value(value).type.device : device_;
  if (value != ValueId::kNone) {
    buffer.name = graph_.value(value).name;
    buffer.strides = indexesOf(graph_.value(value).type.strides);
    isAvailable_[static_cast<size_t>(value)] = true;
  } else {
    buffer.name = fmt::format("tmp{}", static_cast<int>(id));
    buffer.strides = contiguousStrides(tensor.sizes);
  }
  program_.buffers.push_back(std::move(buffer));
  tensor.buffer = id;
  tensor.load = loadFrom(id);
  tensor.loads = 1;
  tensor.operations = 0;
  tensor.isExpensive = false;
  tensor.operators.clear();
  return id;
}

void GraphLowering::realize(const LoweredRef& tensor, ValueId value) {
  if (tensor->buffer != BufferId::kNone) return;
  const auto load = tensor->load;
  LoopNest nest;
  nest.operators = tensor->operators;
  const BufferId id = addBuffer(*tensor, value);
  const LoopBuffer buffer = program_.buffer(id);
  const auto order = memoryOrder(buffer, program_.hints);
  for (const size_t dimension : order) nest.sizes.push_back(buffer.sizes[dimension]);
  nest.outerCount = nest.sizes.size();
  std::vector<Index> coordinates(order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    coordinates[order[i]] = buffer.sizes[order[i]].is(1) ? Index(0) : Index::loop(LoopId(i));
  }
  PointBuilder point(program_, nest.sizes);
  const ScalarId scalar = load(point, coordinates);
  nest.stores.push_back({id, addressOf(buffer, coordinates), scalar, true});
  addNest(std::move(nest));
}

void GraphLowering::give(ValueId id, LoweredRef tensor) {
  tensors_[static_cast<size_t>(id)] = std::move(tensor);
  realizeIfShared(id);
}

void GraphLowering::realizeIfShared(ValueId id) {
  const LoweredRef& tensor = tensors_[static_cast<size_t>(id)];
  if (tensor->buffer != BufferId::kNone || tensor->sharesWith != ValueId::kNone) return;
  const bool isShared = uses_[static_cast<size_t>(id)] > 1;
  const bool isMuch =
      tensor->loads > kMostSharedLoads || tensor->operations > kMostSharedOperations;
  if (isNeededInMemory(id) || (isShared && isMuch) || tensor->operations > kMostOperations) {
    realize(tensor, id);
  }
}

void GraphLowering::lowerNode(size_t index) {
  const Node& node = graph_.nodes[index];
  const LoweringRule rule = loweringRule(node.op);
  NodeLowering lowering(*this, node);
  // A change of modes that the caller found to be without effect.
  if (node.op.starts_with("jitscope::")) return;
  if (lowering.resultCount() == 1 && !lowering.hasResult(0)) return;  // nobody's
  if (!rule) return callOpaquely(index, "no loops for " + node.op);
  for (const ValueId id : lowering.results()) {
    if (id == ValueId::kNone) continue;
    device_ = graph_.value(id).type.device;
    if (!elementTypeOf(graph_.value(id).type.dataType)) {
      return callOpaquely(index, "no loops for this element type");
    }
  }
  if (!isOnOneDevice(graph_, node)) return callOpaquely(index, "operands on several devices");
  if (!rule(lowering)) callOpaquely(index, "no loops for these arguments of " + node.op);
}

void GraphLowering::callOpaquely(size_t index, std::string reason) {
  const Node& node = graph_.nodes[index];
  for (const Argument& argument : node.arguments) {
    forEachValue(argument.value, [&](ValueId id) {
      if (id != ValueId::kNone) makeAvailable(id);
    });
  }
  program_.steps.emplace_back(OpaqueCall{index, std::move(reason)});
  for (const NodeResult& result : node.results) {
    forEachValue(result, [&](ValueId id) {
      if (id == ValueId::kNone || isAvailable_[static_cast<size_t>(id)]) return;
      isAvailable_[static_cast<size_t>(id)] = true;
      tensors_[static_cast<size_t>(id)] = inputTensor(id);
    });
  }
}

/// Brings a value into memory, or makes it an alias of what is.
void GraphLowering::makeAvailable(ValueId id) {
  if (isAvailable_[static_cast<size_t>(id)]) return;
  const LoweredRef tensor = tensors_[static_cast<size_t>(id)];
  if (tensor->sharesWith == ValueId::kNone) {
    realize(tensor, id);
  } else {
    makeAvailable(tensor->sharesWith);
    program_.aliases.push_back({id, tensor->sharesWith});
  }
  isAvailable_[static_cast<size_t>(id)] = true;
}

LoopProgram lowerGraph(const Graph& graph) { return GraphLowering(graph).lower(); }

}  // namespace jitscope::compiler
