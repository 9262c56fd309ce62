#include "compiler/aot/specialized_graph.h"

#include <c10/util/Exception.h>

#include <mutex>
#include <optional>
#include <utility>

#include "compiler/aot/function_trace.h"
#include "compiler/frontend/dispatch_hook.h"
#include "compiler/frontend/random_state.h"
#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {

SpecializedGraph::SpecializedGraph(Graph graph, const Backend& inner)
    : graph_(std::move(graph)), compiler_(inner), eager_(interpret(graph_)) {}

void SpecializedGraph::prepare(std::span<const at::Tensor> examples) {
  std::vector<int64_t> symbols;
  for (const GraphSymbol& symbol : graph_.symbols) symbols.push_back(symbol.hint);
  if (areAsCaptured(examples, symbols)) find(CallShape::of(examples, symbols), examples, symbols);
}

std::vector<at::Tensor> SpecializedGraph::run(std::span<const at::Tensor> inputs,
                                              std::span<const int64_t> symbols) {
  const auto entry = find(CallShape::of(inputs, symbols), inputs, symbols);
  if (!entry || !entry->traced || entry->hasFailed || entry->traced->mayCallHooksInVain(inputs)) {
    return eager_(inputs, symbols);
  }
  std::optional<RandomState> random;
  if (entry->traced->isRandom()) random = RandomState::current();
  std::optional<TracedFunction::Computed> computed;
  try {
    computed = entry->traced->compute(inputs, symbols);
  } catch (const std::exception& error) {
    if (random) random->restore();
    return runAfterFailure(*entry, error, inputs, symbols);
  }
  return entry->traced->finish(*computed, inputs);
}

bool SpecializedGraph::areAsCaptured(std::span<const at::Tensor> examples,
                                     std::span<const int64_t> symbols) const {
  if (examples.size() != graph_.inputs.size()) return false;
  for (size_t i = 0; i < examples.size(); ++i) {
    if (!examples[i].defined() || isOpaque(examples[i])) return false;
    TensorType type = graph_.value(graph_.inputs[i].value).type;
    const auto evaluate = [&](SizeExpression& size) {
      size = SizeExpression::constant(size.evaluate(symbols));
    };
    for (SizeExpression& size : type.sizes) evaluate(size);
    for (SizeExpression& stride : type.strides) evaluate(stride);
    evaluate(type.storageOffset);
    if (!(concreteType(TensorFacts::of(examples[i])) == type)) return false;
  }
  return true;
}

bool SpecializedGraph::Entry::servesPlacesOf(std::span<const at::Tensor> inputs) const {
  return !traced || !traced->hasFixedPlaces() || places == CallPlaces::of(inputs);
}

/// Under the mutex. One that is not compiled yet may turn out to be for other places.
std::shared_ptr<SpecializedGraph::Entry> SpecializedGraph::known(
    const CallShape& shape, std::span<const at::Tensor> inputs) const {
  for (const auto& entry : entries_) {
    if (entry->shape == shape && entry->servesPlacesOf(inputs)) return entry;
  }
  return nullptr;
}

/// The entry for calls of this shape, begun if there is room; null when there is none.
std::shared_ptr<SpecializedGraph::Entry> SpecializedGraph::knownOrNew(
    const CallShape& shape, std::span<const at::Tensor> inputs) {
  {
    const std::shared_lock lock(mutex_);
    if (auto entry = known(shape, inputs)) return entry;
    if (isFull_) return nullptr;
  }
  const std::scoped_lock lock(mutex_);
  if (auto entry = known(shape, inputs)) return entry;
  if (entries_.size() == kMostEntries) {
    if (!isFull_.exchange(true)) {
      compiler_.tellRefused(graph_, "its calls are of too many kinds (sizes, aliasing, modes)");
    }
    return nullptr;
  }
  auto entry = std::make_shared<Entry>();
  entry->shape = shape;
  entry->places = CallPlaces::of(inputs);
  entries_.push_back(entry);
  return entry;
}

/// The compiled entry for a call; null when there is no room for one. The mutex is free meanwhile,
/// so that calls of other shapes go on.
std::shared_ptr<SpecializedGraph::Entry> SpecializedGraph::find(const CallShape& shape,
                                                                std::span<const at::Tensor> inputs,
                                                                std::span<const int64_t> symbols) {
  while (const auto entry = knownOrNew(shape, inputs)) {
    std::call_once(entry->isCompiled, [&] {
      auto traced = compile(shape, inputs, symbols);
      const std::scoped_lock lock(mutex_);
      entry->traced = std::move(traced);
    });
    if (entry->servesPlacesOf(inputs)) return entry;
  }
  return nullptr;
}

std::unique_ptr<const TracedFunction> SpecializedGraph::compile(
    const CallShape& shape, std::span<const at::Tensor> inputs,
    std::span<const int64_t> symbols) const {
  try {
    const QuietScope quiet;
    return std::make_unique<const TracedFunction>(traceFunction(graph_, inputs, symbols, shape),
                                                  compiler_);
  } catch (const c10::Error& error) {
    compiler_.tellRefused(graph_, error.what_without_backtrace());
  } catch (const std::exception& error) {
    compiler_.tellRefused(graph_, error.what());
  }
  return nullptr;
}

/// Nothing has been changed yet. What is the user's error is one eagerly too.
std::vector<at::Tensor> SpecializedGraph::runAfterFailure(Entry& entry, const std::exception& error,
                                                          std::span<const at::Tensor> inputs,
                                                          std::span<const int64_t> symbols) const {
  auto outputs = eager_(inputs, symbols);
  if (!entry.hasFailed.exchange(true)) {
    compiler_.tellRefused(graph_, std::string("its graph failed: ") + error.what());
  }
  return outputs;
}

}  // namespace jitscope::compiler
