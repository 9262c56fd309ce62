#include "compiler/schedule/merge_nests.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>

#include "compiler/loops/reshape.h"
#include "compiler/schedule/nest_rewriter.h"

namespace jitscope::compiler {
namespace {

constexpr size_t kMostBuffers = 48, kMostScalars = 600;

/// Loops that both nests are brought to.
struct TargetLoops {
  std::vector<Index> sizes;
  size_t outerCount = 0;
};

/// A nest's loop variables in terms of the target's.
struct LoopMapping {
  std::vector<Index> loops;
  bool isInner = false;  ///< a nest without reductions runs at every point, not once a row
};

std::vector<Index> mapped(std::span<const Index> from, std::span<const Index> to, size_t firstLoop,
                          const IndexRanges& ranges) {
  std::vector<Index> at;
  at.reserve(to.size());
  for (size_t i = 0; i < to.size(); ++i) at.push_back(Index::loop(LoopId(firstLoop + i)));
  return reshapedCoordinates(from, to, at, ranges);
}

bool hasDivision(const std::vector<Index>& loops) {
  return std::any_of(loops.begin(), loops.end(),
                     [](const Index& index) { return index.hasDivision(); });
}

/// How the nest runs on the target's loops; none when it does not, or only with divisions.
std::optional<LoopMapping> mappingOf(const LoopNest& nest, const TargetLoops& target) {
  const IndexRanges ranges{target.sizes};
  const std::span<const Index> all(target.sizes), outer = all.first(target.outerCount);
  const auto inner = all.subspan(target.outerCount);
  LoopMapping mapping;
  if (nest.hasReduction()) {
    if (productOf(nest.outer()) != productOf(outer) ||
        productOf(nest.inner()) != productOf(inner)) {
      return std::nullopt;
    }
    mapping.loops = mapped(nest.outer(), outer, 0, ranges);
    const auto innerLoops = mapped(nest.inner(), inner, target.outerCount, ranges);
    mapping.loops.insert(mapping.loops.end(), innerLoops.begin(), innerLoops.end());
  } else if (productOf(nest.sizes) == productOf(all)) {
    mapping.loops = mapped(nest.sizes, all, 0, ranges);
    mapping.isInner = true;
  } else if (productOf(nest.sizes) == productOf(outer)) {
    mapping.loops = mapped(nest.sizes, outer, 0, ranges);
  } else {
    return std::nullopt;
  }
  if (hasDivision(mapping.loops)) return std::nullopt;
  return mapping;
}

/// The reduction's loops, cut as finely as `finer` cuts the same points.
std::optional<TargetLoops> cutLike(const LoopNest& reduction, const LoopNest& finer) {
  const Index rows = productOf(reduction.outer());
  Index count(1);
  for (size_t i = 0; i <= finer.sizes.size(); ++i) {
    if (count == rows) return TargetLoops{finer.sizes, i};
    if (i < finer.sizes.size()) count = count * finer.sizes[i];
  }
  return std::nullopt;
}

/// Loops that might suit both, the likeliest first.
std::vector<TargetLoops> targetsFor(const LoopNest& first, const LoopNest& second) {
  std::vector<TargetLoops> targets;
  const auto own = [&](const LoopNest& nest) { targets.push_back({nest.sizes, nest.outerCount}); };
  if (first.hasReduction() == second.hasReduction()) {
    // The finer loops need no divisions.
    const bool isFirstFiner = first.sizes.size() >= second.sizes.size();
    own(isFirstFiner ? first : second);
    own(isFirstFiner ? second : first);
    return targets;
  }
  const LoopNest& reduction = first.hasReduction() ? first : second;
  const LoopNest& other = first.hasReduction() ? second : first;
  own(reduction);
  if (auto cut = cutLike(reduction, other)) targets.push_back(std::move(*cut));
  return targets;
}

/// Loads of the nest by what they load.
std::set<std::pair<BufferId, Index>> loadsOf(const LoopProgram& program, const LoopNest& nest) {
  std::set<std::pair<BufferId, Index>> loads;
  forEachScalar(program, nest, [&](ScalarId id) {
    const Scalar& scalar = program.body[id];
    if (scalar.op == ScalarOp::kLoad) loads.emplace(scalar.buffer, scalar.index);
  });
  return loads;
}

/// The nest on the target's loops. Empty stores when a load finds no forwarded value.
std::optional<LoopNest> moved(LoopProgram& program, const LoopNest& nest, const TargetLoops& target,
                              const LoopMapping& mapping, const LoopNest* earlier) {
  NestRewriter rewriter(program, mapping.loops, target.sizes,
                        earlier ? earlier->reductions : std::vector<ReductionId>());
  for (size_t i = 0; earlier && i < earlier->stores.size(); ++i)
    rewriter.forward(earlier->stores[i]);
  LoopNest result{target.sizes, target.outerCount, {}, {}, nest.operators};
  for (const LoopStore& store : nest.stores) {
    const bool isInner = nest.hasReduction() ? store.isInner : mapping.isInner;
    result.stores.push_back(
        {store.buffer, rewriter.rewrite(store.address), rewriter.rewrite(store.value), isInner});
  }
  for (const ReductionId id : nest.reductions) result.reductions.push_back(rewriter.rewrite(id));
  if (rewriter.hasForeignLoad()) return std::nullopt;
  return result;
}

LoopNest joined(LoopNest first, const LoopNest& second) {
  first.stores.insert(first.stores.end(), second.stores.begin(), second.stores.end());
  for (const ReductionId id : second.reductions) {
    const auto known = std::find(first.reductions.begin(), first.reductions.end(), id);
    if (known == first.reductions.end()) first.reductions.push_back(id);
  }
  first.operators.insert(first.operators.end(), second.operators.begin(), second.operators.end());
  std::sort(first.operators.begin(), first.operators.end());
  first.operators.erase(std::unique(first.operators.begin(), first.operators.end()),
                        first.operators.end());
  return first;
}

bool isStoredBy(const LoopNest& nest, BufferId buffer) {
  return std::any_of(nest.stores.begin(), nest.stores.end(),
                     [&](const LoopStore& store) { return store.buffer == buffer; });
}

bool isTooLarge(const LoopProgram& program, const LoopNest& nest) {
  std::set<BufferId> buffers;
  size_t scalars = 0;
  for (const LoopStore& store : nest.stores) buffers.insert(store.buffer);
  forEachScalar(program, nest, [&](ScalarId id) {
    ++scalars;
    if (program.body[id].op == ScalarOp::kLoad) buffers.insert(program.body[id].buffer);
  });
  return buffers.size() > kMostBuffers || scalars > kMostScalars;
}

/// Whether the two read something in common at the same points.
bool shareLoads(const LoopProgram& program, const LoopNest& first, const LoopNest& second) {
  const auto left = loadsOf(program, first), right = loadsOf(program, second);
  return std::any_of(left.begin(), left.end(),
                     [&](const auto& load) { return right.contains(load); });
}

/// The nest with its loops in another order; only for nests without reductions.
LoopNest reordered(LoopProgram& program, const LoopNest& nest, const std::vector<size_t>& order) {
  TargetLoops target{{}, nest.outerCount};
  LoopMapping mapping{std::vector<Index>(order.size()), true};
  for (size_t i = 0; i < order.size(); ++i) {
    target.sizes.push_back(nest.sizes[order[i]]);
    mapping.loops[order[i]] = Index::loop(LoopId(i));
  }
  return *moved(program, nest, target, mapping, nullptr);
}

std::variant<LoopNest, MergeRefusal> mergeInOrder(LoopProgram& program, const LoopNest& first,
                                                  const LoopNest& second) {
  const auto loads = loadsOf(program, second);
  const bool isVertical = std::any_of(
      loads.begin(), loads.end(), [&](const auto& load) { return isStoredBy(first, load.first); });
  MergeRefusal refusal{"their loops do not run over the same points"};
  for (const TargetLoops& target : targetsFor(first, second)) {
    const auto firstMapping = mappingOf(first, target), secondMapping = mappingOf(second, target);
    if (!firstMapping || !secondMapping) continue;
    const LoopNest before = *moved(program, first, target, *firstMapping, nullptr);
    const auto after = moved(program, second, target, *secondMapping, &before);
    if (!after) {
      refusal.reason = "one reads what the other writes at other points of the loops";
      continue;
    }
    if (!isVertical && !shareLoads(program, before, *after)) {
      refusal.reason = "they read the same memory at different points of the loops";
      continue;
    }
    LoopNest whole = joined(before, *after);
    if (isTooLarge(program, whole)) return MergeRefusal{"the kernel would be too large"};
    return whole;
  }
  return refusal;
}

/// Whether a reduction adds rows of memory to one another: then its columns are its innermost loop
/// but one, and what is fused into it should run along them too.
bool addsRows(const LoopProgram& program, const LoopNest& nest) {
  if (!nest.hasReduction() || nest.outerCount == 0) return false;
  bool isColumn = false;
  for (const auto& [buffer, address] : loadsOf(program, nest)) {
    const auto along = address.strideOf(LoopId(nest.outerCount - 1));
    isColumn |= along && along->is(1);
  }
  return isColumn;
}

}  // namespace

std::variant<LoopNest, MergeRefusal> mergeNests(LoopProgram& program, const LoopNest& first,
                                                const LoopNest& second) {
  auto result = mergeInOrder(program, first, second);
  if (std::holds_alternative<LoopNest>(result)) return result;
  // A column reduction runs through memory in another order than what it is fused with.
  const bool isSecondPlain = !second.hasReduction() && addsRows(program, first);
  const bool isFirstPlain = !first.hasReduction() && addsRows(program, second);
  const LoopNest& plain = isSecondPlain ? second : first;
  if ((!isSecondPlain && !isFirstPlain) || plain.sizes.size() < 2 || plain.sizes.size() > 4) {
    return result;
  }
  std::vector<size_t> order(plain.sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  while (std::next_permutation(order.begin(), order.end())) {
    const LoopNest other = reordered(program, plain, order);
    auto again =
        mergeInOrder(program, isSecondPlain ? first : other, isSecondPlain ? other : second);
    if (std::holds_alternative<LoopNest>(again)) return again;
  }
  return result;
}

}  // namespace jitscope::compiler
