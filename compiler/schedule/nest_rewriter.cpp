#include "compiler/schedule/nest_rewriter.h"

#include <set>

namespace jitscope::compiler {

NestRewriter::NestRewriter(LoopProgram& program, std::vector<Index> loops,
                           std::span<const Index> sizes, std::span<const ReductionId> known)
    : program_(program),
      loops_(std::move(loops)),
      sizes_(sizes.begin(), sizes.end()),
      known_(known.begin(), known.end()) {}

void NestRewriter::forward(const LoopStore& store) { forwarded_.emplace(store.buffer, store); }

Index NestRewriter::rewrite(const Index& index) {
  const Index replaced = index.withAtoms([&](const IndexAtom& atom) {
    if (atom.kind == IndexAtom::Kind::kLoop) return loops_[static_cast<size_t>(atom.id)];
    if (atom.kind == IndexAtom::Kind::kScalar) {
      return Index::scalar(rewrite(static_cast<ScalarId>(atom.id)));
    }
    return Index::of(atom);
  });
  return IndexRanges{sizes_}.simplified(replaced);
}

ScalarId NestRewriter::rewrite(ScalarId id) {
  if (const auto known = done_.find(id); known != done_.end()) return known->second;
  // By value: the body grows while operands are rewritten.
  const Scalar scalar = rewritten(Scalar(program_.body[id]));
  ScalarId result = ScalarId::kNone;
  if (scalar.op == ScalarOp::kLoad) {
    const auto store = forwarded_.find(scalar.buffer);
    if (store != forwarded_.end()) {
      hasForeignLoad_ |= store->second.address != scalar.index;
      result = store->second.value;
    }
  }
  if (result == ScalarId::kNone) result = program_.body.add(scalar);
  done_.emplace(id, result);
  return result;
}

Scalar NestRewriter::rewritten(const Scalar& scalar) {
  Scalar result = scalar;
  for (ScalarId& operand : result.operands) operand = rewrite(operand);
  result.index = rewrite(scalar.index);
  if (scalar.op == ScalarOp::kReduced) result.reduction = rewrite(scalar.reduction);
  return result;
}

ReductionId NestRewriter::rewrite(ReductionId id) {
  if (const auto done = doneReductions_.find(id); done != doneReductions_.end()) {
    return done->second;
  }
  const LoopReduction old = program_.reduction(id);
  const LoopReduction made{old.op, rewrite(old.input)};
  auto result = static_cast<ReductionId>(program_.reductions.size());
  for (const ReductionId other : known_) {
    const LoopReduction& known = program_.reduction(other);
    if (known.op == made.op && known.input == made.input) result = other;
  }
  if (static_cast<size_t>(result) == program_.reductions.size()) {
    program_.reductions.push_back(made);
    known_.push_back(result);
  }
  doneReductions_.emplace(id, result);
  return result;
}

namespace {

class Walk {
 public:
  Walk(const LoopProgram& program, const std::function<void(ScalarId)>& visit)
      : program_(program), visit_(visit) {}

  void from(ScalarId id) {
    if (!seen_.insert(id).second) return;
    const Scalar& scalar = program_.body[id];
    for (const ScalarId operand : scalar.operands) from(operand);
    scalar.index.forEachAtom([&](const IndexAtom& atom) {
      if (atom.kind == IndexAtom::Kind::kScalar) from(static_cast<ScalarId>(atom.id));
    });
    if (scalar.op == ScalarOp::kReduced) from(program_.reduction(scalar.reduction).input);
    visit_(id);
  }

 private:
  const LoopProgram& program_;
  const std::function<void(ScalarId)>& visit_;
  std::set<ScalarId> seen_;
};

}  // namespace

void forEachScalar(const LoopProgram& program, const LoopNest& nest,
                   const std::function<void(ScalarId)>& visit) {
  Walk walk(program, visit);
  for (const LoopStore& store : nest.stores) walk.from(store.value);
}

}  // namespace jitscope::compiler
