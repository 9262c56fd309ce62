#pragma once

#include <map>
#include <set>
#include <string>
#include <tuple>

#include "analyzer/diagnoses/break_class.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What is to be said of one graph break, whatever finding says it.
struct BreakStory {
  BreakClass breakClass = BreakClass::kOther;
  std::string title;   ///< what it is, in a few words
  std::string op;      ///< the operator or function that broke; may be empty
  std::string inside;  ///< " inside of torch.nn.init", where it is not the user's own code
  std::string reason;  ///< with the number in PyTorch's registry
  std::string fix;
};

BreakStory breakStory(const Run& run, const Break& row);

/// The breaks that ended a compilation because none was allowed.
class FatalBreaks {
 public:
  explicit FatalBreaks(const Run& run);

  /// The one that ended `compile`; null when none did.
  const Break* of(const Compile& compile) const;
  bool contains(const Break& row) const;

  /// Whether a break did not end `compile` but made the compiler skip its function.
  bool isSkip(const Compile& compile) const;

 private:
  using Key = std::tuple<ProcessIndex, trace::FrameId, trace::AttemptId>;
  std::map<Key, const Break*> breaks_;  ///< of every compilation that a break failed, or null
  std::set<Key> skips_;
};

}  // namespace jitscope::analyzer
