#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "collector/record/option_reader.h"
#include "collector/windows/plan.h"
#include "trace/result.h"

namespace jitscope::collector {

/// When to record, as the launcher needs it.
struct WindowWish {
  WindowPlan plan;      ///< firstNs is not set yet: it counts from when the program is started
  int64_t delayNs = 0;  ///< 0: none
  int signal = 0;       ///< that the launcher takes for itself; 0: none
};

/// The options that say when to record.
class WindowOptions {
 public:
  /// Takes `word` and its value if it is one of these options; an error when the value makes no
  /// sense. Nothing when it is another option.
  std::optional<trace::Result<void>> take(OptionReader& options, const std::string& word);

  /// All that `take` understands.
  static std::span<const Option> all();

  /// What was asked for; an error when options contradict each other.
  trace::Result<WindowWish> plan() const;

 private:
  trace::Result<void> addTrigger(const std::string& word);
  trace::Result<void> takeSignal(const std::string& option, const std::string& name);

  WindowWish wish_;
  std::string words_;  ///< the options as they were given
  bool hasTrigger_ = false;
  std::string flightOption_;  ///< one that only a flight recorder has
};

}  // namespace jitscope::collector
