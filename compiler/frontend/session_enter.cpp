// How a run enters the segment that comes next.
#include <algorithm>

#include "compiler/frontend/segment_compiler.h"
#include "compiler/frontend/session.h"
#include "compiler/journal/journal.h"
#include "trace/clock.h"

namespace jitscope::compiler {
namespace {

/// The first outer tensor of a segment that is not there, or not as it was; null when there is
/// none.
const OuterValue* firstUnfit(const Segment& segment, const ValueTable& table) {
  for (const auto& outer : segment.outer) {
    if (segment.isConstant(outer.ref)) continue;
    const at::Tensor tensor = table.get(outer.ref);
    if (!tensor.defined() || isOpaque(tensor) || !outer.facts.matches(tensor)) return &outer;
  }
  return nullptr;
}

/// Whether the outer tensors of a segment share memory as they did when it was captured.
bool sharesMemoryAsRecorded(const Segment& segment, const ValueTable& table) {
  std::vector<std::pair<ValueRef, const void*>> owners;
  for (const auto& outer : segment.outer) {
    if (segment.isConstant(outer.ref)) continue;
    owners.emplace_back(outer.storageOwner, storageOf(table.get(outer.ref)));
  }
  // Equal owners must have equal storages, and different ones different storages.
  std::sort(owners.begin(), owners.end());
  owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
  const auto isSameOwner = [](const auto& a, const auto& b) { return a.first == b.first; };
  if (std::adjacent_find(owners.begin(), owners.end(), isSameOwner) != owners.end()) return false;
  std::sort(owners.begin(), owners.end(),
            [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto isSameStorage = [](const auto& a, const auto& b) { return a.second == b.second; };
  return std::adjacent_find(owners.begin(), owners.end(), isSameStorage) == owners.end();
}

size_t firstUse(const Segment& segment, ValueRef wanted) {
  size_t position = 0;
  for (bool isUsed = false; position < segment.operators.size(); ++position) {
    forEachArgument(segment.operators[position], [&](ValueRef ref) { isUsed |= ref == wanted; });
    if (isUsed) break;
  }
  return position;
}

}  // namespace

bool Session::enterChild(const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  // Copied: entering may split or compile, which moves nodes.
  const std::vector<int> children = known().tree.childrenOf(place_.node);
  for (const int child : children) {
    if (!canEnter(child, op, stack)) continue;
    startReplay(child);
    return true;
  }
  if (children.size() < run_.state.context.childLimit) return false;
  runPlainly();
  return true;
}

bool Session::canEnter(int child, const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const Segment& segment = *known().tree.node(child).segment;
  const bool isEmpty = segment.operators.empty();
  if (isEmpty && !segment.end.op) return false;
  const auto& first = isEmpty ? *segment.end.op : segment.operators.front();
  if (!(first.handle == op)) return false;
  table_.resize(segment.firstValue);
  table_.resize(segment.endValue());
  for (size_t i = 0; i < segment.values.size(); ++i) {
    const auto& external = segment.values[i].external;
    if (!external) continue;
    const at::Tensor tensor(external->lock());
    if (tensor.defined()) table_.set(ValueRef::value(segment.firstValue + i), tensor);
  }
  bindDynamically(first, segment, op, stack);
  if (!isRecordedCall(first, segment, table_, op, stack)) {
    return freeConstant(child, op, stack) && canEnter(child, op, stack);
  }
  const auto* unfit = firstUnfit(segment, table_);
  if (!unfit) return sharesMemoryAsRecorded(segment, table_);
  // A tensor of user code's own that is a new one in every call: what comes before it can be
  // served, and as the first argument of the rest it will be taken as it comes.
  const bool isExternal = segment.defines(unfit->ref);
  const size_t position = isExternal ? firstUse(segment, unfit->ref) : 0;
  if (position == 0) return false;
  edit().tree.split(child, position, {});
  return canEnter(child, op, stack);
}

void Session::bindDynamically(const RecordedOperator& first, const Segment& segment,
                              const c10::OperatorHandle& op, const torch::jit::Stack& stack) {
  const auto arguments = torch::jit::last(stack, op.schema().arguments().size());
  const auto bind = [&](ValueRef ref, const c10::IValue& value) {
    if (!segment.defines(ref) || !value.isTensor()) return;
    if (segment.value(ref).kind != SegmentValue::Kind::kExternal) return;
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined()) table_.set(ref, tensor);
  };
  for (size_t i = 0; i < first.arguments.size(); ++i) {
    bind(first.arguments[i].tensor, arguments[i]);
    const auto& refs = first.arguments[i].tensors;
    if (refs.empty() || !arguments[i].isList()) continue;
    const auto list = arguments[i].toListRef();
    for (size_t j = 0; j < std::min(refs.size(), list.size()); ++j) bind(refs[j], list[j]);
  }
}

/// Makes the constants that the first operator takes tensors from outside, if another content is
/// all that keeps the segment from being entered.
bool Session::freeConstant(int child, const c10::OperatorHandle& op,
                           const torch::jit::Stack& stack) {
  const auto segment = known().tree.node(child).segment;
  const auto firstOf = [](const Segment& of) -> const RecordedOperator& {
    return of.operators.empty() ? *of.end.op : of.operators.front();
  };
  std::vector<ValueRef> constants;
  forEachArgument(firstOf(*segment), [&](ValueRef ref) {
    if (segment->isConstant(ref)) constants.push_back(ref);
  });
  if (constants.empty()) return false;
  auto freed = std::make_shared<Segment>(*segment);
  for (const auto ref : constants) {
    auto& value = freed->values[ref.index() - freed->firstValue];
    value.kind = SegmentValue::Kind::kExternal;
    value.constant.reset();
  }
  const auto& first = firstOf(*freed);
  bindDynamically(first, *freed, op, stack);
  if (!isRecordedCall(first, *freed, table_, op, stack)) return false;
  edit().tree.node(child).segment = std::move(freed);
  return true;
}

/// Of each tensor that a segment takes from outside, whether user code may write to it unseen.
std::vector<bool> Session::pointedTo(const SegmentReplay& replay) const {
  const auto& outer = replay.segment().outer;
  std::vector<bool> isPointedTo(outer.size());
  for (size_t i = 0; i < outer.size(); ++i) {
    const at::Tensor& tensor = replay.outer()[i];
    const auto* storage = tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
    // Memory that nobody owns is an array of user code's own, as from_blob takes it.
    const bool isBorrowed = !outer[i].ref.isInput() && storage &&
                            storage->device_type() == c10::kCPU &&
                            storage->data_ptr().get_context() == nullptr && storage->nbytes() > 0;
    isPointedTo[i] = !replay.segment().isConstant(outer[i].ref) &&
                     (isBorrowed || rawStorages_.contains(storage));
  }
  return isPointedTo;
}

void Session::startReplay(int child) {
  place_.node = child;
  if (const auto position = known().tree.node(child).segment->analysis.splitAt) {
    auto& learned = edit();
    if (!learned.unsplit) learned.unsplit = std::make_shared<const SegmentTree>(learned.tree);
    learned.tree.split(child, *position, {});
  }
  const TreeNode* node = &known().tree.node(child);
  if (node->segment->operators.empty()) {
    place_.isBreakPending = true;
    return;
  }
  if (!node->compiled && node->segment->analysis.plainReason.empty()) {
    const SegmentReplay preview(*node, table_, *this);
    auto& learned = edit();
    compileSegment(run_.state, learned, child, learned.tree.node(child).outputs(), preview.outer(),
                   run_.symbols, nullptr, run_.report);
    node = &known().tree.node(child);
  }
  replay_.emplace(*node, table_, *this);
  auto& journal = Journal::instance();
  const int64_t startNs = journal.isRecording() ? trace::nowNs() : 0;
  replay_->start(pointedTo(*replay_), run_.symbols);
  place_.mode = Mode::kReplaying;
  if (replay_->isPlain()) {
    noteNotCompiled(child, replay_->plainReason());
    return;
  }
  ++run_.report.segmentsRun;
  if (!journal.isRecording()) return;
  const int64_t endNs = trace::nowNs();
  run_.report.backendNs += endNs - startNs;
  journal.emit(trace::RegionRow{.frame = run_.state.context.id.frame,
                                .attempt = run_.state.context.id.attempt,
                                .segment = static_cast<trace::SegmentId>(child),
                                .startNs = startNs,
                                .endNs = endNs,
                                .thread = threadId(),
                                .opCount = static_cast<int64_t>(node->segment->operators.size()),
                                .graph = journal.intern(node->compiled->graph.graph.name)});
}

}  // namespace jitscope::compiler
