#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/frames/entry.h"
#include "compiler/frames/size_history.h"
#include "compiler/options.h"

namespace jitscope::compiler {

/// What a new entry guards, leaves open and hands to its program: the policy of dynamic shapes.
struct EntryPlan {
  std::vector<std::string> sources;  ///< one per leaf
  std::vector<LeafFreedom> freedoms;
  std::vector<uint32_t> inputLeaves;
  std::vector<ProgramInput> inputs;
  std::vector<SymbolSource> symbols;
  std::vector<ProgramSymbol> programSymbols;  ///< parallel to `symbols`
  std::vector<GuardTables::EqualSizes> equalSizes;
};

/// Adds the leaves from `first` on to a plan. Sizes are static when seen first, dynamic once they
/// have changed (`history`), when marked, or with `dynamic=true`; 0 and 1 are always static, and so
/// are parameters of modules unless the options say otherwise. With `dynamic=true`, equal sizes
/// share a symbol.
void planLeaves(const Leaves& leaves, size_t first, std::span<const std::string> sources,
                const CompileOptions& options, SizeHistory& history, EntryPlan& plan);

/// The same plan with nothing left open.
std::vector<LeafFreedom> staticFreedoms(const EntryPlan& plan);

}  // namespace jitscope::compiler
