#include "compiler/frontend/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/frontend/break_reason.h"
#include "compiler/frontend/lazy_gradient.h"
#include "compiler/frontend/metadata_query.h"
#include "compiler/frontend/session_busy.h"
#include "compiler/journal/journal.h"

namespace jitscope::compiler {

bool Session::serveSimply(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const std::scoped_lock lock(run_.mutex);
  if (place_.mode != Mode::kReplaying || place_.plainDepth > 0 || isInBackwardPass()) return false;
  if (!replay_->serveSimply(op, stack)) return false;
  ++run_.report.opsMatched;
  return true;
}

void Session::onOperator(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  const std::scoped_lock lock(run_.mutex);
  if (isInBackwardPass()) {
    breakHere(SegmentEnd::Kind::kAutograd, reasonOfAutogradState("backward"));
    const Busy busy(*this);
    op.callBoxed(&stack);
    return;
  }
  const Busy busy(*this);
  // No segment holds a query, so that an expected operator is none.
  const bool isExpected = place_.mode == Mode::kReplaying && replay_->expects(op);
  if (place_.plainDepth > 0 || (!isExpected && isMetadataQuery(op))) {
    op.callBoxed(&stack);
    return;
  }
  while (!tryServe(op, stack)) {
  }
}

bool Session::tryServe(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  switch (place_.mode) {
    case Mode::kPlain:
      op.callBoxed(&stack);
      return true;
    case Mode::kCapturing:
      capture(op, stack);
      return true;
    case Mode::kReplaying:
      if (replay_->isDone()) {
        closeReplay();
        return false;
      }
      if (replay_->serve(op, stack)) {
        ++run_.report.opsMatched;
        return true;
      }
      diverge("got " + operatorText(op));
      return false;
    case Mode::kBetween:
      if (serveBreak(op, stack)) return true;
      endStall();
      if (!captured_.empty() || !enterChild(op, stack)) beginCapture();
      return false;
  }
  return false;
}

bool Session::serveBreak(const c10::OperatorHandle& op, torch::jit::Stack& stack) {
  if (!place_.isBreakPending) return false;
  place_.isBreakPending = false;
  const auto segment = known().tree.node(place_.node).segment;
  const auto& end = segment->end;
  if (!isRecordedCall(*end.op, *segment, table_, op, stack)) return false;
  noteBreak(end.reason, false, place_.node, end.stack);
  ++run_.report.opsMatched;
  runRecorded(*end.op, stack, table_, *this);
  return true;
}

void Session::runPlainly() {
  place_.mode = Mode::kPlain;
  noteNotCompiled(place_.node, fmt::format("it goes on in more than {} ways; further ones are not "
                                           "kept, and run so to the end of the call",
                                           run_.state.context.childLimit));
}

/// Operators that no graph runs, from segment `node` on, are a loss that the user must see.
void Session::noteNotCompiled(int node, const std::string& reason) {
  auto& report = run_.report;
  if (reason.empty()) return;
  ++report.segmentsNotCompiled;
  if (report.notCompiled.empty()) report.notCompiled = reason;
  auto& journal = Journal::instance();
  if (!journal.wantsCompileEvents()) return;
  const auto* segment = node == TreeNode::kRoot ? nullptr : known().tree.node(node).segment.get();
  const bool hasOperators = segment != nullptr && !segment->operators.empty();
  journal.plainSegment(run_.state.context.id, static_cast<trace::SegmentId>(node),
                       hasOperators ? static_cast<int64_t>(segment->operators.size()) : 0, reason,
                       hasOperators ? segment->operators.front().stack : UserStack::here());
}

void Session::closeReplay() {
  const auto late = replay_->settle();
  const bool hasLate = std::find(late.begin(), late.end(), true) != late.end();
  if (hasLate) {
    auto& node = edit().tree.node(place_.node);
    for (size_t i = 0; i < late.size(); ++i) node.isOutput[i] = node.isOutput[i] || late[i];
    node.compiled = nullptr;
  }
  const auto kind = replay_->segment().end.kind;
  place_.isBreakPending = kind == SegmentEnd::Kind::kOperator;
  place_.isExplicitPending = kind == SegmentEnd::Kind::kExplicit;
  place_.mode = Mode::kBetween;
  replay_.reset();
}

void Session::diverge(const std::string& actual) {
  const size_t position = replay_->position();
  const Segment& segment = replay_->segment();
  const auto expected = operatorText(segment.operators[position].handle);
  const auto text =
      fmt::format("operator stream diverged at #{}: expected {}, {}", position, expected, actual);
  ++run_.report.divergences;
  if (run_.report.divergence.empty()) run_.report.divergence = text;
  Journal::instance().guardFailure({.entry = run_.state.context.id,
                                    .kind = "OPERATOR_STREAM",
                                    .source = fmt::format("segment {}", place_.node),
                                    .expected = expected,
                                    .actual = actual,
                                    .text = text,
                                    .cause = "divergence"},
                                   UserStack::here());
  replay_->settle();
  const size_t kept = position == 0 ? 0 : segment.operators[position - 1].valuesAfter;
  std::vector<bool> isNeeded(kept);
  for (size_t i = 0; i < kept; ++i) {
    isNeeded[i] = table_.isAlive(ValueRef::value(segment.firstValue + i));
  }
  table_.resize(segment.firstValue + kept);
  const int parent = known().tree.node(place_.node).parent;
  if (position > 0) {
    edit().tree.split(place_.node, position, isNeeded);
  } else {
    place_.node = parent;
  }
  place_.mode = Mode::kBetween;
  replay_.reset();
}

bool Session::descendToExplicitBreak() {
  for (const int child : known().tree.childrenOf(place_.node)) {
    const Segment& segment = *known().tree.node(child).segment;
    if (!segment.operators.empty() || segment.end.kind != SegmentEnd::Kind::kExplicit) continue;
    place_.node = child;
    table_.resize(segment.endValue());
    return true;
  }
  return false;
}

void Session::breakHere(SegmentEnd::Kind kind, const BreakReason& reason) {
  const std::scoped_lock lock(run_.mutex);
  if (run_.busyDepth > 0 || place_.plainDepth > 0 || place_.mode == Mode::kPlain) return;
  const QuietScope quiet;
  const Busy busy(*this);
  if (place_.mode == Mode::kReplaying) {
    if (replay_->isDone()) {
      closeReplay();
    } else {
      diverge("got a graph break: " + reason.type);
    }
  }
  const bool isExplicit = kind == SegmentEnd::Kind::kExplicit;
  if (place_.mode == Mode::kBetween) {
    if (!isExplicit) return;
    const bool isKnown =
        captured_.empty() && (place_.isExplicitPending || descendToExplicitBreak());
    place_.isExplicitPending = false;
    if (isKnown) return noteBreak(reason, false, place_.node, UserStack::here());
    beginCapture();
    if (place_.mode != Mode::kCapturing) return;
  }
  auto& segment = captured_.back()->recorder.segment();
  if (segment.operators.empty() && !isExplicit) return;
  const auto stack = UserStack::here();
  noteBreak(reason, true, capturedNumber(), stack);
  segment.end = {kind, reason, stack, std::nullopt};
  closeCapture();
}

void Session::onDataAccess(const LazyTensor& tensor) {
  if (run_.busyDepth > 0 && tensor.isBound()) return;
  const std::scoped_lock lock(run_.mutex);
  if (run_.busyDepth > 0) {
    const QuietScope quiet;
    if (replay_ && !tensor.isBound()) replay_->settle();
    return;
  }
  if (place_.mode == Mode::kReplaying && tensor.isBound()) {
    const auto* storage = tensor.unsafe_storage().unsafeGetStorageImpl();
    const auto& outer = replay_->outer();
    const bool isRead = std::any_of(outer.begin(), outer.end(), [&](const at::Tensor& used) {
      return storageOf(used) == storage;
    });
    if (isRead) breakHere(SegmentEnd::Kind::kRawAccess, reasonOfRawAccess());
  } else if (!takeAsHostFilled(tensor)) {
    breakHere(SegmentEnd::Kind::kRawAccess, reasonOfRawAccess());
  }
  const auto& memory = tensor.unsafe_storage();
  if (!memory) return;
  rawStorages_.insert_or_assign(memory.unsafeGetStorageImpl(), memory.getWeakStorageImpl());
}

void Session::onGradientAccess(const LazyTensor& tensor, const char* what) {
  if (run_.busyDepth > 0 && tensor.isBound()) return;
  const std::scoped_lock lock(run_.mutex);
  if (run_.busyDepth > 0) {
    const QuietScope quiet;
    if (replay_ && !tensor.isBound()) replay_->settle();
    return;
  }
  breakHere(SegmentEnd::Kind::kAutograd, reasonOfAutogradState(what));
}

}  // namespace jitscope::compiler
