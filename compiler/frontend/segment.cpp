#include "compiler/frontend/segment.h"

#include <algorithm>
#include <set>

namespace jitscope::compiler {
namespace {

MatchPlan planOf(const Segment& segment, const RecordedOperator& op, std::set<ValueRef>& defined) {
  MatchPlan plan;
  for (const auto ref : op.mutated) plan.writesVisible |= segment.isVisible(ref);
  // What an in-place operator gives back is not new, a tensor from outside neither.
  // To match a number that user code wrapped takes a look at its memory.
  bool readsConstant = false;
  forEachArgument(op, [&](ValueRef ref) {
    defined.insert(ref);
    readsConstant |= segment.isConstant(ref);
  });
  size_t fresh = 0, results = 0;
  forEachResult(op, [&](ValueRef ref) {
    ++results;
    if (ref.isNone() || !segment.defines(ref) || !defined.insert(ref).second) return;
    ++fresh;
    // Under autograd the view must be the one that the compiled graph goes through.
    plan.makesVisibleView |= segment.isVisible(ref) &&
                             !(op.modes.isGradEnabled && segment.value(ref).facts.requiresGrad);
  });
  plan.isSimple = op.mutated.empty() && !op.isRandom && results == 1 && fresh == 1 &&
                  !op.results.front().isList && !plan.makesVisibleView && !readsConstant;
  return plan;
}

bool isBuiltIn(const RecordedOperator& op) {
  const auto& name = op.handle.operator_name().name;
  return name.starts_with("aten::") || name.starts_with("prims::");
}

bool hasForeignConstant(const RecordedOperator& op) {
  return std::any_of(op.arguments.begin(), op.arguments.end(), [](const RecordedArgument& a) {
    return a.kind == RecordedArgument::Kind::kConstant && !isPlainConstant(a.constant);
  });
}

/// Collects what forbids to run a segment, or all of it at once, before user code has issued its
/// operators.
class PlainReasons {
 public:
  explicit PlainReasons(const Segment& segment) : segment_(segment) {}

  std::string find() {
    for (size_t i = 0; i < segment_.operators.size(); ++i) {
      std::string reason = ofOperator(segment_.operators[i], i);
      if (!reason.empty()) return operatorText(segment_.operators[i].handle) + ": " + reason;
    }
    return {};
  }

  std::optional<size_t> splitAt() const { return splitAt_; }

 private:
  void splitBefore(size_t position) {
    if (!splitAt_) splitAt_ = position;
  }

  std::string ofOperator(const RecordedOperator& op, size_t position) {
    if (hasForeignConstant(op)) return "takes a generator or another object of this process";
    // A replay knows the generator's state before and after its graph only.
    if (op.isRandom && randomCount_++ > 0) splitBefore(position);
    // The schema of an operator is believed, as torch.compile believes it.
    if (position > 0 && !isBuiltIn(op) && op.results.empty() && op.mutated.empty()) {
      return "gives and writes nothing, so that it can only be there for other effects";
    }
    std::set<ValueRef> writtenHere;
    for (size_t i = 0; i < op.mutated.size(); ++i) {
      if (segment_.isVisible(op.mutated[i])) {
        // A replay knows the last state of written memory only.
        if (!writtenHere.insert(op.mutatedOwners[i]).second)
          return "writes to the same memory twice";
        if (!written_.insert(op.mutatedOwners[i]).second) splitBefore(position);
        if (op.hasGradient || isReadWithGradient(op.mutatedOwners[i])) {
          return "writes to memory of user code under autograd";
        }
      } else if (op.hasGradient && aliasCount(op.mutatedOwners[i]) > 1) {
        return "writes to a tensor that has views under autograd";
      }
    }
    return {};
  }

  bool isReadWithGradient(ValueRef owner) const {
    return std::any_of(segment_.outer.begin(), segment_.outer.end(), [&](const OuterValue& outer) {
      return outer.storageOwner == owner && outer.facts.requiresGrad;
    });
  }

  size_t aliasCount(ValueRef owner) const {
    return static_cast<size_t>(
        std::count_if(segment_.values.begin(), segment_.values.end(),
                      [&](const SegmentValue& value) { return value.storageOwner == owner; }));
  }

  const Segment& segment_;
  size_t randomCount_ = 0;
  std::set<ValueRef> written_;
  std::optional<size_t> splitAt_;
};

}  // namespace

bool Segment::isVisible(ValueRef ref) const {
  if (!defines(ref)) return true;
  const auto owner = value(ref).storageOwner;
  return !defines(owner) || value(owner).kind != SegmentValue::Kind::kResult;
}

const ModeState& startModes(const Segment& segment) {
  for (const auto& op : segment.operators) {
    bool readsTensor = false;
    forEachArgument(op, [&](ValueRef ref) { readsTensor |= !ref.isNone(); });
    if (readsTensor) return op.modes;
  }
  return segment.operators.front().modes;
}

void analyze(Segment& segment) {
  auto& analysis = segment.analysis;
  analysis = {};
  std::set<ValueRef> defined;
  for (size_t i = 0; i < segment.operators.size(); ++i) {
    analysis.plans.push_back(planOf(segment, segment.operators[i], defined));
    if (segment.operators[i].isRandom && !analysis.randomOp) analysis.randomOp = i;
  }
  analysis.plainReason = segment.userReason;
  if (!segment.userReason.empty()) return;
  PlainReasons reasons(segment);
  analysis.plainReason = reasons.find();
  if (analysis.plainReason.empty()) analysis.splitAt = reasons.splitAt();
}

}  // namespace jitscope::compiler
