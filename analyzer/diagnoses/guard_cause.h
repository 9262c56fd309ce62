#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/finding.h"
#include "analyzer/language.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Why a guard failed, in classes that have a fix each.
enum class GuardCause {
  kSize,
  kZeroOne,
  kScalar,
  kString,
  kDtype,
  kDevice,
  kRank,
  kStride,
  kRequiresGrad,
  kDispatchKeys,
  kGradMode,
  kGlobalState,
  kAliasing,
  kLength,
  kOptional,
  kModule,
  kParameter,
  kParameterShape,  ///< of a parameter, not of an input
  kAttribute,       ///< a value that an object holds
  kGlobal,          ///< a value of a module or a closure
  kObject,          ///< which object it is
  kDictKeys,
  kDuckShape,   ///< two sizes that were equal
  kConstraint,  ///< what the user's code or an operator asks of a dynamic size
  kMarkedLate,  ///< a size was marked dynamic when an entry existed already
  kOptimizer,   ///< a value in the state of an optimizer
  kDispatchMode,
  kModuleVersion,     ///< the machinery's own count of changes of a module
  kDeallocated,       ///< an object of the entry is gone
  kNondeterministic,  ///< the guard holds when it is looked at again
  kGuarded,
  kType,
  kDivergence,
  kUnknown,
};

/// The class as recordings and reports spell it: "size", "zero_one", …
std::string_view name(GuardCause cause);

/// The class that a recording told, if it is one of ours; else the one that a guard failure's text
/// (in Dynamo's words) shows.
GuardCause guardCause(std::string_view told, std::string_view text);

/// A guard failure of which a person wants to know why.
struct GuardStory {
  GuardCause cause = GuardCause::kUnknown;
  std::string text;              ///< the guard in Dynamo's words
  std::string source;            ///< e.g. L['x']
  std::string expected, actual;  ///< may be empty
  int64_t dimension = -1;        ///< of a size, stride; -1 when the text does not name it
  /// Whether the compilation that followed serves any size; nullopt when the input does not tell.
  std::optional<bool> becameDynamic = false;
  Language language = Language::kCpp;
};

/// What a guard failure's row says.
GuardStory guardStory(const Run& run, const GuardFailure& failure);

/// The failure in a few words: "size 0 of x changed from 4 to 8".
std::string whatChanged(const GuardStory& story);

/// Cause, fix and certainty for recompiles of this kind.
Advice recompileAdvice(const GuardStory& story);

/// The variable that a source starts from: `L['x'].size()[0]` → `x`, `L['self'].weight` →
/// `self.weight`, `L['self']._modules['attn']._modules['0'].n` → `self.attn[0].n`.
std::string variableOf(std::string_view source);

}  // namespace jitscope::analyzer
