#include <algorithm>

#include "compiler/frontend/capture_timer.h"
#include "compiler/frontend/first_equal.h"
#include "compiler/frontend/lazy_gradient.h"
#include "compiler/frontend/segment_compiler.h"
#include "compiler/frontend/session.h"
#include "compiler/frontend/session_busy.h"
#include "compiler/frontend/symbolic_segment.h"
#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

thread_local Session* currentSession = nullptr;

struct CurrentScope {
  explicit CurrentScope(Session& session) { currentSession = &session; }
  ~CurrentScope() { currentSession = nullptr; }
  CurrentScope(const CurrentScope&) = delete;
  CurrentScope& operator=(const CurrentScope&) = delete;
};

/// Whether a stand-in may take the place of an input. A tensor that requires a gradient is where
/// autograd keeps its history.
bool canBeHooked(const at::Tensor& tensor) {
  if (!tensor.defined() || isOpaque(tensor) || tensor.requires_grad()) return false;
  if (tensor.is_view() && tensor._base().requires_grad()) return false;
  const auto* lazy = LazyTensor::from(tensor);
  return !lazy || !lazy->listener();
}

bool contains(const std::vector<at::Tensor>& tensors, const c10::TensorImpl* address) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const at::Tensor& tensor) {
    return tensor.unsafeGetTensorImpl() == address;
  });
}

}  // namespace

Session::Session(ProgramState& state, std::span<const int64_t> symbols, RunReport& report)
    : run_{state, symbols, report, ModeState::current(), {}, {0}}, table_({}) {
  chooseSizes();
}

void Session::chooseSizes() {
  auto& state = run_.state;
  const std::scoped_lock lock(state.mutex);
  knowledge_.base = state.learned;
  const auto& base = *knowledge_.base;
  const std::vector<int64_t> symbols(run_.symbols.begin(), run_.symbols.end());
  if (symbols.empty() || base.symbolValues == symbols) return;
  if (base.generality == Generality::kConfirmed) {
    constexpr size_t kKept = 64;
    if (state.sized.size() >= kKept) state.sized.clear();
    auto& sized = state.sized[symbols];
    if (!sized) sized = std::make_shared<const ProgramState::Learned>(atSizes(base, symbols));
    knowledge_.sized = sized;
    return;
  }
  // What is known fits other sizes: capture again, with it as the sample that explains.
  auto fresh = std::make_shared<ProgramState::Learned>();
  fresh->generality = base.generality;
  fresh->symbolValues = symbols;
  fresh->specializations = base.specializations;
  // A guess that turns out right needs no other graph.
  fresh->compiled = base.compiled;
  knowledge_.sized = std::move(fresh);
  if (base.generality == Generality::kFailed) return;
  knowledge_.sample = base.tree.size() > 0
                          ? ProgramState::Sample{knowledge_.base, base.symbolValues}
                          : state.sample;
}

Session::~Session() {
  for (size_t i = 0; i < table_.inputCount() + table_.size(); ++i) {
    const auto ref =
        i < table_.inputCount() ? ValueRef::input(i) : ValueRef::value(i - table_.inputCount());
    const at::Tensor tensor = table_.get(ref);
    if (!tensor.defined()) continue;
    auto* lazy = LazyTensor::from(tensor);
    if (lazy && lazy->listener() == this) lazy->disarm();
  }
}

Session* Session::current() { return currentSession; }

CaptureState Session::captureState() const {
  if (run_.busyDepth > 0) return CaptureState::kInternal;
  if (place_.plainDepth > 0 || place_.mode == Mode::kPlain) return CaptureState::kNone;
  const bool isCapturing = place_.mode == Mode::kCapturing ||
                           (place_.mode == Mode::kBetween &&
                            (!captured_.empty() || known().tree.childrenOf(place_.node).empty()));
  return isCapturing ? CaptureState::kCapturing : CaptureState::kReplaying;
}

ProgramState::Learned& Session::edit() {
  if (!knowledge_.edited) {
    knowledge_.edited = std::make_unique<ProgramState::Learned>(known());
  }
  return *knowledge_.edited;
}

void Session::enterPlain(const BreakReason& reason) {
  breakHere(SegmentEnd::Kind::kExplicit, reason);
  ++place_.plainDepth;
}

void Session::leavePlain() { --place_.plainDepth; }

std::vector<at::Tensor> Session::hookInputs(std::span<const at::Tensor> inputs) {
  std::vector<at::Tensor> hooked(inputs.begin(), inputs.end());
  const bool isWatching = watchesSizes();
  if (!run_.state.context.hookInputs && !isWatching) return hooked;
  const auto& isArgument = run_.state.isArgument;
  c10::SmallVector<const c10::TensorImpl*, 16> hookable(inputs.size(), nullptr);
  for (size_t i = 0; i < std::min(inputs.size(), isArgument.size()); ++i) {
    if (isArgument[i] && canBeHooked(inputs[i])) hookable[i] = inputs[i].unsafeGetTensorImpl();
  }
  // A tensor that comes several times stays one.
  forEachFirst(
      hookable.size(), [&](size_t i) { return hookable[i]; },
      [&](size_t i, size_t first) {
        if (first < i) {
          hooked[i] = hooked[first];
        } else if (hookable[i] != nullptr) {
          hooked[i] = LazyTensor::makeBound(*this, inputs[i]);
          if (isWatching) LazyTensor::from(hooked[i])->watchSizes();
        }
        return true;
      });
  return hooked;
}

void Session::run(std::span<const at::Tensor> inputs, const UserCode& userCode,
                  std::vector<at::Tensor>& results) {
  const auto hooked = hookInputs(inputs);
  for (const auto& tensor : hooked) table_.addInput(tensor);
  const CurrentScope current(*this);
  try {
    const ListenScope listen(*this);
    userCode(hooked, results);
  } catch (...) {
    settleAfterThrow(inputs, hooked);
    throw;
  }
  const std::scoped_lock lock(run_.mutex);
  finish(inputs, hooked, results);
}

void Session::settleAfterThrow(std::span<const at::Tensor> inputs,
                               std::span<const at::Tensor> hooked) {
  const std::scoped_lock lock(run_.mutex);
  const QuietScope quiet;
  const Busy busy(*this);
  if (place_.mode == Mode::kReplaying) replay_->settle();
  stall_.reset();
  for (size_t i = 0; i < hooked.size(); ++i) {
    if (!hooked[i].is_same(inputs[i])) returnState(inputs[i], hooked[i]);
  }
}

void Session::finish(std::span<const at::Tensor> inputs, std::span<const at::Tensor> hooked,
                     std::vector<at::Tensor>& results) {
  const QuietScope quiet;
  const Busy busy(*this);
  if (place_.mode == Mode::kReplaying) {
    if (replay_->isDone()) {
      closeReplay();
    } else {
      diverge("user code returned");
    }
  }
  endStall();
  const bool hasCaptured = !captured_.empty();
  if (hasCaptured) addCaptured(results);
  auto straight = hasCaptured ? straightRun(results) : nullptr;
  for (size_t i = 0; i < hooked.size(); ++i) {
    if (hooked[i].is_same(inputs[i])) continue;
    returnState(inputs[i], hooked[i]);
    for (auto& result : results) {
      if (result.is_same(hooked[i])) result = inputs[i];
    }
  }
  if (knowledge_.edited) publish(std::move(straight));
}

void Session::addCaptured(const std::vector<at::Tensor>& results) {
  const CaptureTimer timer(run_.report.captureNs, run_.report.backendNs);
  if (place_.mode == Mode::kCapturing) {
    closeCapture();
    // Autograd's saved tensors keep values alive too, so that only results are sure to be needed.
    auto& last = *captured_.back();
    const auto& segment = last.recorder.segment();
    for (size_t i = 0; i < segment.values.size(); ++i) {
      const auto* address = table_.address(ValueRef::value(segment.firstValue + i));
      const bool isReturned = contains(results, address);
      last.isAlive[i] = isReturned || (last.isAlive[i] && !segment.values[i].facts.requiresGrad);
    }
  }
  auto& learned = edit();
  int parent = place_.node;
  const bool hasSymbols = !run_.symbols.empty();
  // What goes on after known segments has no second sample and stays as it was captured.
  const bool canGeneralize = hasSymbols && parent == TreeNode::kRoot && learned.tree.size() == 0 &&
                             learned.generality != Generality::kFailed;
  SampleWalk walk(run_.state, knowledge_.sample.learned, knowledge_.sample.values);
  for (const auto& captured : captured_) {
    Segment segment = captured->recorder.finish();
    if (canGeneralize) walk.generalizeNext(segment, run_.symbols);
    parent = learned.tree.add(parent, std::move(segment), captured->isAlive);
    compileCaptured(parent, *captured, results);
  }
  if (!canGeneralize) return;
  learned.specializations = knowledge_.sizeReads;
  const bool isExplained = knowledge_.sample.learned != nullptr;
  learned.generality = isExplained ? Generality::kConfirmed : Generality::kHypothesis;
  if (walk.failure().empty()) return;
  learned.generality = Generality::kFailed;
  learned.specializations.push_back({.source = run_.state.symbols.front().source,
                                     .value = run_.symbols.front(),
                                     .reason = walk.failure(),
                                     .stack = {}});
}

void Session::compileCaptured(int number, const Captured& captured,
                              const std::vector<at::Tensor>& results) {
  auto& learned = edit();
  std::vector<ValueRef> outputs = learned.tree.node(number).outputs();
  // Results first, in the order in which user code gives them.
  const auto rank = [&](ValueRef ref) {
    const auto* address = table_.address(ref);
    const auto found = std::find_if(results.begin(), results.end(), [&](const at::Tensor& t) {
      return t.unsafeGetTensorImpl() == address;
    });
    return found - results.begin();
  };
  std::stable_sort(outputs.begin(), outputs.end(),
                   [&](ValueRef a, ValueRef b) { return rank(a) < rank(b); });
  const bool isStart = learned.tree.node(number).parent == TreeNode::kRoot;
  compileSegment(run_.state, learned, number, std::move(outputs), captured.examples, run_.symbols,
                 isStart ? &run_.initialModes : nullptr, run_.report);
}

/// Whether the graph is one for some sizes only, those that a division leaves no rest for.
bool Session::dividesSizes() const {
  bool divides = false;
  const auto& compiled = known().tree.node(0).compiled;
  if (!compiled) return false;
  forEachExpressionOfGraph(compiled->graph.graph, [&](const SizeExpression& expression) {
    divides |= expression.denominator != 1;
  });
  return divides;
}

bool Session::isFreeOfSizes() const {
  // A program that fits one size alone needs no more than that size.
  if (known().generality == Generality::kFailed) return true;
  if (known().generality != Generality::kConfirmed || !knowledge_.sizeReads.empty()) return false;
  const bool areInputsWatched = std::all_of(
      run_.state.symbols.begin(), run_.state.symbols.end(), [&](const ProgramSymbol& symbol) {
        // An integer argument is read unseen.
        if (symbol.input == ProgramSymbol::kScalar) return false;
        const auto isWatched = [&](size_t position) {
          const at::Tensor input = table_.get(ValueRef::input(position));
          const auto* lazy = input.defined() ? LazyTensor::from(input) : nullptr;
          return lazy && lazy->isWatched();
        };
        return isWatched(symbol.input) &&
               std::all_of(symbol.alsoAt.begin(), symbol.alsoAt.end(),
                           [&](const auto& other) { return isWatched(other.input); });
      });
  return areInputsWatched && !captured_.front()->recorder.hasUnwatched() && !dividesSizes();
}

std::unique_ptr<StraightRun> Session::straightRun(const std::vector<at::Tensor>& results) const {
  const auto& tree = known().tree;
  if (tree.size() != 1 || captured_.size() != 1) return nullptr;
  if (!run_.symbols.empty() && !isFreeOfSizes()) return nullptr;
  // What user code reads through a pointer, no graph has.
  if (!rawStorages_.empty()) return nullptr;
  const TreeNode& node = tree.node(0);
  const Segment& segment = *node.segment;
  if (segment.end.kind != SegmentEnd::Kind::kOpen || !segment.userReason.empty()) return nullptr;
  if (!node.compiled && !segment.operators.empty()) return nullptr;
  auto straight = std::make_unique<StraightRun>();
  straight->compiled = node.compiled;
  for (const auto& value : segment.values) {
    if (value.kind != SegmentValue::Kind::kResult) return nullptr;
  }
  for (const auto& outer : segment.outer) straight->inputs.push_back(outer.ref.index());
  straight->takesAllInputs = straight->inputs.size() == table_.inputCount();
  for (size_t i = 0; i < straight->inputs.size(); ++i) {
    straight->takesAllInputs &= straight->inputs[i] == i;
  }
  for (const auto& result : results) {
    if (!result.defined()) return nullptr;
    StraightRun::Source source{.isInput = true};
    const auto* address = result.unsafeGetTensorImpl();
    while (source.position < table_.inputCount() &&
           table_.address(ValueRef::input(source.position)) != address) {
      ++source.position;
    }
    if (source.position == table_.inputCount()) {
      source = {};
      const auto& outputs = node.compiled ? node.compiled->graph.outputs : std::vector<ValueRef>{};
      while (source.position < outputs.size() &&
             table_.address(outputs[source.position]) != address) {
        ++source.position;
      }
      if (source.position == outputs.size()) return nullptr;
    }
    straight->results.push_back(source);
  }
  straight->givesOutputsAsTheyAre =
      node.compiled && straight->results.size() == node.compiled->graph.outputs.size();
  for (size_t i = 0; i < straight->results.size(); ++i) {
    const auto& source = straight->results[i];
    straight->givesOutputsAsTheyAre &= !source.isInput && source.position == i;
  }
  // A value that user code keeps is an effect that the graph does not have.
  const size_t outputCount = node.outputs().size();
  size_t returned = 0;
  for (size_t i = 0; i < outputCount; ++i) {
    returned += contains(results, table_.address(node.compiled->graph.outputs[i]));
  }
  return returned == outputCount ? std::move(straight) : nullptr;
}

void Session::publish(std::unique_ptr<StraightRun> straight) {
  auto& state = run_.state;
  const std::scoped_lock lock(state.mutex);
  if (state.learned != knowledge_.base) return;
  knowledge_.edited->symbolValues.assign(run_.symbols.begin(), run_.symbols.end());
  state.learned = std::move(knowledge_.edited);
  state.sized.clear();
  state.straight.store(straight.get(), std::memory_order_release);
  if (straight) state.straightRuns.push_back(std::move(straight));
}

}  // namespace jitscope::compiler
