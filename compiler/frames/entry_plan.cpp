#include "compiler/frames/entry_plan.h"

#include <fmt/format.h>

#include "compiler/frames/call_values.h"
#include "compiler/frames/dimension_marks.h"

namespace jitscope::compiler {

namespace {

/// The freedom of each dimension, before 0 and 1 are taken out; `isMarked` where the user insists.
struct DimensionPolicy {
  std::vector<Freedom> freedoms;
  std::vector<bool> isMarked;
};

DimensionPolicy dimensionPolicy(const at::Tensor& tensor, const std::string& source,
                                const CompileOptions& options, SizeHistory& history) {
  const auto rank = static_cast<size_t>(tensor.dim());
  DimensionPolicy policy{std::vector<Freedom>(rank), std::vector<bool>(rank)};
  const std::vector<bool> hasChanged = history.observe(source, tensor.sizes());
  for (size_t d = 0; d < rank; ++d) {
    policy.freedoms[d].isDynamic = options.dynamic.value_or(hasChanged[d]);
  }
  for (const DimensionMark& mark : marksOf(tensor)) {
    const auto d = static_cast<size_t>(mark.dimension);
    if (d >= rank) continue;  // the tensor lost dimensions since it was marked
    policy.freedoms[d] = {mark.kind != DimensionMark::Kind::kStatic, mark.minimum, mark.maximum};
    policy.isMarked[d] = mark.kind == DimensionMark::Kind::kDynamic;
  }
  return policy;
}

/// A symbol for a dimension; with duck shaping an earlier one of the same value serves.
void addSizeSymbol(const Leaves& leaves, size_t leaf, size_t dimension, const Freedom& freedom,
                   bool isMarked, bool mayShare, EntryPlan& plan) {
  const int64_t size = leaves[leaf].tensor->size(static_cast<int64_t>(dimension));
  for (size_t s = 0; mayShare && !isMarked && s < plan.symbols.size(); ++s) {
    const SymbolSource& other = plan.symbols[s];
    if (other.isScalar() || plan.programSymbols[s].isMarkedByUser) continue;
    if (leaves[other.leaf].tensor->size(static_cast<int64_t>(other.dimension)) != size) continue;
    plan.equalSizes.push_back({leaf, dimension, other.leaf, other.dimension});
    plan.programSymbols[s].alsoAt.push_back(
        {plan.inputLeaves.size() - 1, dimension,
         fmt::format("{}.size()[{}]", plan.sources[leaf], dimension)});
    return;
  }
  SymbolSource symbol{leaf, dimension, fmt::format("{}.size()[{}]", plan.sources[leaf], dimension),
                      isMarked};
  ProgramSymbol program;
  program.source = symbol.source;
  program.input = plan.inputLeaves.size() - 1;
  program.dimension = dimension;
  program.isMarkedByUser = isMarked;
  program.minimum = freedom.minimum;
  program.maximum = freedom.maximum;
  plan.symbols.push_back(std::move(symbol));
  plan.programSymbols.push_back(std::move(program));
}

void planTensor(const Leaves& leaves, size_t leaf, const CompileOptions& options,
                SizeHistory& history, EntryPlan& plan) {
  const at::Tensor& tensor = *leaves[leaf].tensor;
  const std::string& source = plan.sources[leaf];
  LeafFreedom freedom;
  if (tensor.defined()) {
    const bool isParameter =
        source.starts_with(kModuleSource) && options.forceParameterStaticShapes;
    plan.inputLeaves.push_back(static_cast<uint32_t>(leaf));
    const bool isArgument = source.starts_with("L[") && !source.starts_with(kModuleSource);
    plan.inputs.push_back({source, isParameter, isArgument});
    freedom.isIdentityGuarded = isParameter;
    if (!isParameter && tensor.layout() == at::kStrided && !tensor.is_nested()) {
      DimensionPolicy policy = dimensionPolicy(tensor, source, options, history);
      for (size_t d = 0; d < policy.freedoms.size(); ++d) {
        Freedom& dimension = policy.freedoms[d];
        const int64_t size = tensor.size(static_cast<int64_t>(d));
        dimension.isDynamic &= size >= dimension.minimum && size <= dimension.maximum;
        if (!dimension.isDynamic) continue;
        addSizeSymbol(leaves, leaf, d, dimension, policy.isMarked[d],
                      options.dynamic.value_or(false), plan);
      }
      freedom.dimensions = std::move(policy.freedoms);
    }
  }
  plan.freedoms.push_back(std::move(freedom));
}

void planInteger(const Leaves& leaves, size_t leaf, const CompileOptions& options,
                 SizeHistory& history, EntryPlan& plan) {
  const int64_t value = leaves[leaf].integer;
  const std::string& source = plan.sources[leaf];
  const bool hasChanged = history.observeInteger(source, value);
  LeafFreedom freedom;
  freedom.integer.isDynamic =
      options.dynamic.value_or(hasChanged) && value >= freedom.integer.minimum;
  if (freedom.integer.isDynamic) {
    ProgramSymbol program;
    program.source = source;
    program.input = ProgramSymbol::kScalar;
    plan.symbols.push_back({leaf, SymbolSource::kScalar, source, false});
    plan.programSymbols.push_back(std::move(program));
  }
  plan.freedoms.push_back(std::move(freedom));
}

}  // namespace

void planLeaves(const Leaves& leaves, size_t first, std::span<const std::string> sources,
                const CompileOptions& options, SizeHistory& history, EntryPlan& plan) {
  plan.sources.insert(plan.sources.end(), sources.begin(), sources.end());
  for (size_t leaf = first; leaf < leaves.size(); ++leaf) {
    if (leaves[leaf].kind == Leaf::Kind::kTensor) {
      planTensor(leaves, leaf, options, history, plan);
    } else if (leaves[leaf].kind == Leaf::Kind::kInteger) {
      planInteger(leaves, leaf, options, history, plan);
    } else {
      plan.freedoms.emplace_back();
    }
  }
}

std::vector<LeafFreedom> staticFreedoms(const EntryPlan& plan) {
  std::vector<LeafFreedom> freedoms = plan.freedoms;
  for (LeafFreedom& freedom : freedoms) {
    freedom.dimensions.clear();
    freedom.integer = {};
  }
  return freedoms;
}

}  // namespace jitscope::compiler
