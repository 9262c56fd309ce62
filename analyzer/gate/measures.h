#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// A number of a run that the gate can limit.
struct Measure {
  std::string_view name;     ///< in the configuration and in baselines: "graph_breaks", …
  std::string_view meaning;  ///< for a person, with its unit
  /// The number, or none when the run does not hold what it is made of. `findings` are those that
  /// count: the run's without the allowed ones.
  std::optional<double> (*of)(const Run& run, const Analysis& analysis,
                              std::span<const Finding* const> findings);
};

/// All measures, in the order in which reports print them.
std::span<const Measure> allMeasures();

/// The measure of that name; null when there is none.
const Measure* findMeasure(std::string_view name);

}  // namespace jitscope::analyzer
