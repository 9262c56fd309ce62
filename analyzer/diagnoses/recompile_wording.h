#pragma once

#include <string>
#include <string_view>

#include "analyzer/diagnoses/guard_cause.h"

namespace jitscope::analyzer {

/// The words that differ between causes; what changed is told by whatChanged.
struct RecompileWording {
  std::string reason;  ///< why a change of this kind compiles anew
  std::string fix;
  bool isAvoidable = true;
  Certainty certainty = Certainty::kCertain;
};

/// For programs in C++.
RecompileWording cppWording(const GuardStory& story);

/// For programs in Python.
RecompileWording pythonWording(const GuardStory& story);

/// Parts of the latter: of global state and modes, of values, of objects.
RecompileWording pythonStateWording(const GuardStory& story);
RecompileWording pythonValueWording(const GuardStory& story);
RecompileWording pythonObjectWording(const GuardStory& story);

/// What helps where all variants are needed.
constexpr std::string_view kPythonWarmUp = "call it once with every variant at start-up";

/// Whether what is guarded belongs to a cache of keys and values.
bool isOfCache(const GuardStory& story);

/// Whether the words of a guard failure are a guard. Others say that none was found, or what else
/// began the compilation.
bool namesGuard(const GuardStory& story);

/// The guarded variable in words; "the input" when it is not known.
std::string guardedVariable(const GuardStory& story);

}  // namespace jitscope::analyzer
