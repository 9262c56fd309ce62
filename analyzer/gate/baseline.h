#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// What a run is compared with: an earlier run's measures and findings. Small, and stable enough to
/// be kept beside the sources.
struct Baseline {
  std::map<std::string, double> measures;       ///< by Measure::name; only those the run had
  std::map<std::string, std::string> findings;  ///< title by Finding::id
};

/// The baseline that a run makes. Every finding is in it, also one that a configuration allows.
Baseline baselineOf(const Run& run, const Analysis& analysis);

/// Reads a file that `writeBaseline` left; none when it is anything else, such as a recording.
/// Errors are `PATH: what: where`.
trace::Result<std::optional<Baseline>> readBaselineFile(const std::filesystem::path& path);

/// Writes the file as a whole or not at all; what stood there before survives an error.
trace::Result<void> writeBaseline(const Baseline& baseline, const std::filesystem::path& path);

}  // namespace jitscope::analyzer
