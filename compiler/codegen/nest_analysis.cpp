#include "compiler/codegen/nest_analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "compiler/schedule/nest_rewriter.h"

namespace jitscope::compiler {
namespace {

void addIndex(const Index& index, NestAnalysis& analysis, NestAnalysis::Facts& facts) {
  index.forEachAtom([&](const IndexAtom& atom) {
    if (atom.kind == IndexAtom::Kind::kLoop) facts.loops |= uint64_t{1} << atom.id;
    if (atom.kind != IndexAtom::Kind::kScalar) return;
    const auto& inner = analysis.facts.at(static_cast<ScalarId>(atom.id));
    facts.loops |= inner.loops;
    facts.pass = std::max(facts.pass, inner.pass);
  });
}

/// Every index of the nest, addresses of stores included.
std::vector<Index> indexesOf(const LoopProgram& program, const LoopNest& nest) {
  std::vector<Index> indexes;
  forEachScalar(program, nest, [&](ScalarId id) {
    const Scalar& scalar = program.body[id];
    if (scalar.op == ScalarOp::kLoad || scalar.op == ScalarOp::kPosition) {
      indexes.push_back(scalar.index);
    }
  });
  for (const LoopStore& store : nest.stores) indexes.push_back(store.address);
  return indexes;
}

/// Whether loops `outer` and the next one walk through every index as one loop.
bool canCollapse(const std::vector<Index>& indexes, const LoopNest& nest, size_t outer) {
  if (outer + 1 == nest.outerCount) return false;
  return std::all_of(indexes.begin(), indexes.end(), [&](const Index& index) {
    const auto slow = index.strideOf(LoopId(outer)), fast = index.strideOf(LoopId(outer + 1));
    return slow && fast && *slow == *fast * nest.sizes[outer + 1];
  });
}

/// The nest with loops `outer` and the next one as one.
LoopNest withCollapsed(LoopProgram& program, const LoopNest& nest, size_t outer) {
  LoopNest result = nest;
  const Index fast = nest.sizes[outer + 1];
  result.sizes[outer] = nest.sizes[outer] * fast;
  result.sizes.erase(result.sizes.begin() + static_cast<std::ptrdiff_t>(outer) + 1);
  if (outer < nest.outerCount) --result.outerCount;
  const IndexRanges ranges{result.sizes};
  std::vector<Index> loops;
  for (size_t i = 0; i < nest.sizes.size(); ++i) {
    const Index joint = Index::loop(LoopId(outer));
    if (i == outer)
      loops.push_back(ranges.quotient(joint, fast));
    else if (i == outer + 1)
      loops.push_back(ranges.remainder(joint, fast));
    else
      loops.push_back(Index::loop(LoopId(i < outer ? i : i - 1)));
  }
  NestRewriter rewriter(program, loops, result.sizes, {});
  for (LoopStore& store : result.stores) {
    store.address = rewriter.rewrite(store.address);
    store.value = rewriter.rewrite(store.value);
  }
  for (ReductionId& reduction : result.reductions) reduction = rewriter.rewrite(reduction);
  return result;
}

}  // namespace

NestAnalysis analyze(const LoopProgram& program, const LoopNest& nest) {
  NestAnalysis analysis;
  for (size_t i = nest.outerCount; i < nest.sizes.size(); ++i) {
    analysis.innerLoops |= uint64_t{1} << i;
  }
  std::set<BufferId> seen;
  const auto see = [&](BufferId id) {
    if (seen.insert(id).second) analysis.buffers.push_back(id);
  };
  forEachScalar(program, nest, [&](ScalarId id) {
    const Scalar& scalar = program.body[id];
    NestAnalysis::Facts facts;
    for (const ScalarId operand : scalar.operands) {
      facts.loops |= analysis.facts.at(operand).loops;
      facts.pass = std::max(facts.pass, analysis.facts.at(operand).pass);
    }
    addIndex(scalar.index, analysis, facts);
    if (scalar.op == ScalarOp::kReduced) {
      const auto& input = analysis.facts.at(program.reduction(scalar.reduction).input);
      facts.loops = input.loops & ~analysis.innerLoops;
      facts.pass = input.pass + 1;
    }
    if (scalar.op == ScalarOp::kLoad) see(scalar.buffer);
    analysis.order.push_back(id);
    analysis.facts.emplace(id, facts);
  });
  for (const LoopStore& store : nest.stores) {
    see(store.buffer);
    analysis.passes = std::max(analysis.passes, analysis.pass(store.value) + 1);
  }
  return analysis;
}

std::vector<ScalarId> neededFor(const LoopProgram& program, const NestAnalysis& analysis,
                                const std::vector<ScalarId>& roots,
                                const std::function<bool(ScalarId)>& isKnown) {
  std::set<ScalarId> needed;
  const std::function<void(ScalarId)> need = [&](ScalarId id) {
    if (isKnown(id) || !needed.insert(id).second) return;
    const Scalar& scalar = program.body[id];
    for (const ScalarId operand : scalar.operands) need(operand);
    scalar.index.forEachAtom([&](const IndexAtom& atom) {
      if (atom.kind == IndexAtom::Kind::kScalar) need(static_cast<ScalarId>(atom.id));
    });
  };
  for (const ScalarId root : roots) need(root);
  std::vector<ScalarId> ordered;
  for (const ScalarId id : analysis.order) {
    if (needed.contains(id)) ordered.push_back(id);
  }
  return ordered;
}

std::vector<ReductionId> reductionsIn(const LoopProgram& program, const LoopNest& nest,
                                      const NestAnalysis& analysis, int pass) {
  std::vector<ReductionId> found;
  for (const ReductionId id : nest.reductions) {
    if (analysis.pass(program.reduction(id).input) == pass) found.push_back(id);
  }
  return found;
}

std::vector<LoopStore> storesIn(const LoopNest& nest, const NestAnalysis& analysis, int pass,
                                bool isInner) {
  std::vector<LoopStore> found;
  for (const LoopStore& store : nest.stores) {
    if (store.isInner == isInner && analysis.pass(store.value) == pass) found.push_back(store);
  }
  return found;
}

std::vector<ScalarId> rootsOf(const LoopProgram& program,
                              const std::vector<ReductionId>& reductions,
                              const std::vector<LoopStore>& stores) {
  std::vector<ScalarId> roots;
  roots.reserve(reductions.size() + stores.size());
  for (const ReductionId id : reductions) roots.push_back(program.reduction(id).input);
  for (const LoopStore& store : stores) roots.push_back(store.value);
  return roots;
}

bool isColumnReduction(const LoopProgram& program, const LoopNest& nest,
                       const NestAnalysis& analysis) {
  if (nest.outerCount == 0) return false;
  int64_t alongRows = 0, alongColumns = 0;
  const auto row = static_cast<LoopId>(nest.sizes.size() - 1);
  const auto column = static_cast<LoopId>(nest.outerCount - 1);
  for (const ScalarId id : analysis.order) {
    const Scalar& scalar = program.body[id];
    if (scalar.op != ScalarOp::kLoad || !analysis.isInner(id)) continue;
    const auto rowStride = scalar.index.strideOf(row), columnStride = scalar.index.strideOf(column);
    alongRows += rowStride && rowStride->is(1) ? 1 : 0;
    alongColumns += columnStride && columnStride->is(1) ? 1 : 0;
  }
  return alongColumns > alongRows;
}

std::string identityText(const LoopProgram& program, const LoopReduction& reduction) {
  const ElementType type = program.body[reduction.input].type;
  const bool isMaximum = reduction.op == ReductionOp::kMaximum;
  if (reduction.op == ReductionOp::kProduct || reduction.op == ReductionOp::kAll) return "1";
  if (!isMaximum && reduction.op != ReductionOp::kMinimum) return "0";
  if (isFloating(type)) return isMaximum ? "-__builtin_inf()" : "__builtin_inf()";
  if (type == ElementType::kBool) return isMaximum ? "0" : "1";
  if (type == ElementType::kUInt8) return isMaximum ? "0" : "255";
  const int64_t most = std::numeric_limits<int64_t>::max() >> (64 - 8 * sizeBytes(type));
  return isMaximum ? fmt::format("(-{}ll - 1)", most) : fmt::format("{}ll", most);
}

LoopNest collapsed(LoopProgram& program, const LoopNest& nest) {
  LoopNest result = nest;
  // Loops that run once are none.
  for (size_t i = 0; i + 1 < result.sizes.size();) {
    const bool isOnce = result.sizes[i].is(1) || result.sizes[i + 1].is(1);
    const bool isSameSide = i + 1 != result.outerCount;
    if (isSameSide && (isOnce || canCollapse(indexesOf(program, result), result, i))) {
      result = withCollapsed(program, result, i);
    } else {
      ++i;
    }
  }
  return result;
}

}  // namespace jitscope::compiler
