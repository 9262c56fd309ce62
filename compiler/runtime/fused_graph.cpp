#include "compiler/runtime/fused_graph.h"

#include <ATen/Parallel.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/record_function.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <c10/util/SmallVector.h>

#include <algorithm>
#include <set>

#include "compiler/graph/traverse.h"
#include "compiler/runtime/output_pool.h"

namespace jitscope::compiler {
namespace {

using Numbers = c10::SmallVector<int64_t, 6>;

Numbers numbersOf(const std::vector<SizeExpression>& sizes, std::span<const int64_t> symbols) {
  Numbers numbers;
  for (const SizeExpression& size : sizes) numbers.push_back(size.evaluate(symbols));
  return numbers;
}

bool matches(const at::Tensor& tensor, const TensorType& type, std::span<const int64_t> symbols) {
  if (!tensor.defined() || tensor.layout() != at::kStrided || tensor.is_neg() || tensor.is_conj() ||
      static_cast<int8_t>(tensor.scalar_type()) != static_cast<int8_t>(type.dataType) ||
      static_cast<int8_t>(tensor.device().type()) != type.device.kind) {
    return false;
  }
  const Numbers sizes = numbersOf(type.sizes, symbols);
  if (tensor.sizes() != at::IntArrayRef(sizes)) return false;
  const Numbers strides = numbersOf(type.strides, symbols);
  for (size_t i = 0; i < strides.size(); ++i) {
    // The stride of what there is one of is nobody's.
    if (sizes[i] > 1 && tensor.strides()[i] != strides[i] && tensor.numel() > 0) return false;
  }
  return true;
}

/// The tensor in the layout that kernels expect of it: LibTorch may choose another for other sizes.
at::Tensor laidOut(at::Tensor tensor, const TensorType& type, std::span<const int64_t> symbols) {
  if (!tensor.defined() || matches(tensor, type, symbols)) return tensor;
  const Numbers sizes = numbersOf(type.sizes, symbols);
  if (tensor.sizes() != at::IntArrayRef(sizes)) return tensor;
  at::Tensor copy = at::empty_strided(sizes, numbersOf(type.strides, symbols), tensor.options());
  copy.copy_(tensor);
  return copy;
}

at::Device deviceOf(const DeviceName& name) {
  return {static_cast<at::DeviceType>(name.kind), name.index};
}

}  // namespace

FusedGraph::FusedGraph(const Graph& graph, LoopProgram program,
                       std::shared_ptr<const KernelLibrary> library)
    : graph_(graph),
      program_(std::move(program)),
      library_(std::move(library)),
      source_(graph.values.size(), ValueId::kNone) {
  for (const TensorAlias& alias : program_.aliases) {
    source_[static_cast<size_t>(alias.value)] = alias.source;
  }
  size_t kernel = 0;
  for (const LoopStep& step : program_.steps) {
    if (const auto* call = std::get_if<OpaqueCall>(&step)) {
      steps_.push_back({callOf(graph_.nodes[call->node]), {}});
      continue;
    }
    Launch launch{kernel++, {}};
    for (const LoopStore& store : std::get<LoopNest>(step).stores) {
      launch.stored.push_back(store.buffer);
    }
    steps_.push_back({std::move(launch), {}});
  }
  planReleases();
}

/// The operator as a graph of its own, which the interpreter runs.
FusedGraph::Call FusedGraph::callOf(const Node& node) const {
  Graph single;
  single.name = graph_.name;
  single.symbols = graph_.symbols;
  Call call;
  std::map<ValueId, ValueId> ids;
  const auto idOf = [&](ValueId id) {
    if (id == ValueId::kNone) return id;
    const auto [known, isNew] = ids.emplace(id, static_cast<ValueId>(single.values.size()));
    if (isNew) single.values.push_back(graph_.value(id));
    return known->second;
  };
  Node copy = node;
  for (Argument& argument : copy.arguments) {
    const auto take = [&](ValueId& id) {
      if (id == ValueId::kNone) return;
      const bool isNew = !ids.contains(id);
      const ValueId own = idOf(id);
      if (isNew) {
        single.inputs.push_back({own, graph_.value(id).name});
        call.inputs.push_back(id);
      }
      id = own;
    };
    if (auto* id = std::get_if<ValueId>(&argument.value)) take(*id);
    if (auto* list = std::get_if<std::vector<ValueId>>(&argument.value)) {
      for (ValueId& id : *list) take(id);
    }
  }
  for (NodeResult& result : copy.results) {
    const auto give = [&](ValueId& id) {
      if (id == ValueId::kNone) return;
      call.outputs.push_back(id);
      id = idOf(id);
      single.outputs.push_back(id);
    };
    if (auto* id = std::get_if<ValueId>(&result)) give(*id);
    if (auto* list = std::get_if<std::vector<ValueId>>(&result)) {
      for (ValueId& id : *list) give(id);
    }
  }
  single.nodes.push_back(std::move(copy));
  call.graph = interpret(single);
  return call;
}

size_t FusedGraph::slotOf(BufferId buffer) const {
  const ValueId value = program_.buffer(buffer).value;
  return value != ValueId::kNone ? static_cast<size_t>(value)
                                 : graph_.values.size() + static_cast<size_t>(buffer);
}

std::vector<size_t> FusedGraph::slotsOf(const Step& step) const {
  std::vector<size_t> slots;
  if (const auto* launch = std::get_if<Launch>(&step.work)) {
    for (const BufferId id : library_->kernels()[launch->kernel].buffers) {
      const ValueId value = program_.buffer(id).value;
      value == ValueId::kNone ? slots.push_back(slotOf(id)) : addSlots(value, slots);
    }
    return slots;
  }
  const auto& call = std::get<Call>(step.work);
  for (const auto* ids : {&call.inputs, &call.outputs}) {
    for (const ValueId id : *ids) addSlots(id, slots);
  }
  return slots;
}

/// The value's slot, and those of the tensors that it is a view of.
void FusedGraph::addSlots(ValueId value, std::vector<size_t>& slots) const {
  for (; value != ValueId::kNone; value = source_[static_cast<size_t>(value)]) {
    slots.push_back(static_cast<size_t>(value));
  }
}

void FusedGraph::planReleases() {
  std::vector<size_t> outputs;
  for (const ValueId id : graph_.outputs) addSlots(id, outputs);
  std::set<size_t> later(outputs.begin(), outputs.end());
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    for (const size_t slot : slotsOf(*step)) {
      if (later.insert(slot).second) step->released.push_back(slot);
    }
  }
}

bool FusedGraph::accepts(std::span<const at::Tensor> inputs,
                         std::span<const int64_t> symbols) const {
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!matches(inputs[i], graph_.value(graph_.inputs[i].value).type, symbols)) return false;
  }
  return true;
}

at::Tensor FusedGraph::makeBuffer(BufferId id, std::span<const int64_t> symbols) const {
  const LoopBuffer& buffer = program_.buffer(id);
  Numbers sizes, strides;
  for (const Index& size : buffer.sizes) sizes.push_back(size.evaluate(symbols));
  for (const Index& stride : buffer.strides) strides.push_back(stride.evaluate(symbols));
  return makeOutput(sizes, strides, static_cast<at::ScalarType>(dataTypeOf(buffer.type)),
                    deviceOf(buffer.device));
}

/// The tensor of a value, made now if it is a view of what is there.
const at::Tensor& FusedGraph::tensor(ValueId id, Tensors& tensors,
                                     std::span<const int64_t> symbols) const {
  at::Tensor& own = tensors[static_cast<size_t>(id)];
  const ValueId source = source_[static_cast<size_t>(id)];
  if (own.defined() || source == ValueId::kNone) return own;
  const at::Tensor& whole = tensor(source, tensors, symbols);
  const TensorType &type = graph_.value(id).type, &sourceType = graph_.value(source).type;
  const int64_t offset =
      type.storageOffset.evaluate(symbols) - sourceType.storageOffset.evaluate(symbols);
  own = at::as_strided(whole, numbersOf(type.sizes, symbols), numbersOf(type.strides, symbols),
                       whole.storage_offset() + offset);
  return own;
}

void FusedGraph::runKernel(const Launch& launch, Tensors& tensors,
                           std::span<const int64_t> symbols) const {
  const KernelEntry& kernel = library_->kernels()[launch.kernel];
  for (const BufferId id : launch.stored) {
    at::Tensor& slot = tensors[slotOf(id)];
    if (!slot.defined()) slot = makeBuffer(id, symbols);
  }
  c10::SmallVector<void*, 16> memory;
  for (const BufferId id : kernel.buffers) {
    const ValueId value = program_.buffer(id).value;
    const at::Tensor& own =
        value == ValueId::kNone ? tensors[slotOf(id)] : tensor(value, tensors, symbols);
    memory.push_back(const_cast<void*>(own.const_data_ptr()));
  }
  at::RecordFunction record(at::RecordScope::FUNCTION);
  if (record.isActive()) record.before(kernel.name.c_str());
  LaunchPlace place;
  const at::Device device = tensors[slotOf(launch.stored.front())].device();
  if (device.is_cpu()) {
    place.threads = at::get_num_threads();
  } else {
    const c10::impl::VirtualGuardImpl guard(device.type());
    place.stream = guard.getStreamNativeHandle(guard.getStream(device));
  }
  const auto launched = library_->launch(launch.kernel, memory, symbols, place);
  TORCH_CHECK(static_cast<bool>(launched), kernel.name, ": ", launched.error().text);
}

std::vector<at::Tensor> FusedGraph::run(std::span<const at::Tensor> inputs,
                                        std::span<const int64_t> symbols) const {
  Tensors tensors(graph_.values.size() + program_.buffers.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    tensors[static_cast<size_t>(graph_.inputs[i].value)] = inputs[i];
  }
  for (const Step& step : steps_) {
    if (const auto* launch = std::get_if<Launch>(&step.work)) {
      runKernel(*launch, tensors, symbols);
    } else {
      const auto& call = std::get<Call>(step.work);
      std::vector<at::Tensor> arguments;
      arguments.reserve(call.inputs.size());
      for (const ValueId id : call.inputs) arguments.push_back(tensor(id, tensors, symbols));
      std::vector<at::Tensor> results = call.graph(arguments, symbols);
      for (size_t i = 0; i < results.size(); ++i) {
        const ValueId id = call.outputs[i];
        tensors[static_cast<size_t>(id)] =
            laidOut(std::move(results[i]), graph_.value(id).type, symbols);
      }
    }
    for (const size_t slot : step.released) tensors[slot].reset();
  }
  std::vector<at::Tensor> outputs;
  outputs.reserve(graph_.outputs.size());
  for (const ValueId id : graph_.outputs) outputs.push_back(tensor(id, tensors, symbols));
  return outputs;
}

}  // namespace jitscope::compiler
