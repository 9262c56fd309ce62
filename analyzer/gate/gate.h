#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/gate/baseline.h"
#include "analyzer/gate/config.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// A limit and what the run has.
struct LimitCheck {
  const Measure* measure = nullptr;
  std::optional<double> value;  ///< none: the run does not hold what the measure is made of
  std::optional<double> limit;  ///< none: the baseline does not have the measure
  bool isOver = false;          ///< also when the one or the other is missing
};

/// How a finding stands to the baseline and the allowances.
enum class FindingState {
  kPresent,  ///< there is no baseline to be new against
  kKnown,    ///< the baseline has it
  kNew,
  kAllowed,
};

/// The state as it stands in reports: "present", "known", "new", "allowed".
std::string_view name(FindingState state);

struct FindingCheck {
  const Finding* finding = nullptr;
  FindingState state = FindingState::kPresent;
  std::string allowedBecause;  ///< the reason and the last day, when allowed
  bool isOver = false;         ///< new, and there are more new ones than `newFindings` grants
};

/// What the gate says of a run. Points into the Analysis that it was made from.
struct GateVerdict {
  int64_t recordedNs = 0;  ///< when the run began
  std::vector<LimitCheck> limits;
  std::vector<FindingCheck> findings;  ///< worst first, all of the run
  std::vector<std::string> gone;       ///< titles and ids that only the baseline has
  std::vector<std::string> notes;      ///< allowances that have ended or that nothing needs

  /// How many limits and findings are over.
  size_t overCount() const;
  bool passes() const { return overCount() == 0; }
};

/// Holds a run against limits, allowances and, if there is one, a baseline. Allowed findings count
/// in no limit. `today` decides which allowances still hold.
GateVerdict judge(const Run& run, const Analysis& analysis, const GateConfig& config,
                  const Baseline* baseline, std::chrono::year_month_day today);

/// A value of a measure for a person: whole numbers without a fraction.
std::string measureText(std::optional<double> value);

/// One line about a limit: "graph_breaks: 2, limit 1".
std::string limitText(const LimitCheck& check);

}  // namespace jitscope::analyzer
