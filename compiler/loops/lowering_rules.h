#pragma once

#include <span>
#include <string_view>

#include "compiler/loops/lowering.h"

/// \file
/// The rules by family. Growing means one line in a family's table.
namespace jitscope::compiler {

struct NamedRule {
  std::string_view op;
  LoweringRule rule;
};

std::span<const NamedRule> arithmeticRules();
std::span<const NamedRule> comparisonRules();
std::span<const NamedRule> activationRules();
std::span<const NamedRule> viewRules();
std::span<const NamedRule> creationRules();
std::span<const NamedRule> reductionRules();
std::span<const NamedRule> normalizationRules();
std::span<const NamedRule> gradientRules();

}  // namespace jitscope::compiler
