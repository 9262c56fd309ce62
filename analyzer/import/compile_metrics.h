#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/import/compile_journal.h"
#include "analyzer/import/json_view.h"
#include "trace/schema.h"

namespace jitscope::analyzer {

/// What `compilation_metrics` and its like tell of one compilation, whichever version wrote it.
/// Durations nest: each holds those behind it.
struct CompileMetrics {
  FunctionPlace function;
  int64_t startNs = 0, endNs = 0;  ///< since the Unix epoch; 0 when not told
  int64_t wholeNs = 0;             ///< all of it
  int64_t aotNs = 0;               ///< of it AOTAutograd and what it calls
  int64_t inductorNs = 0;          ///< of it Inductor
  int64_t codegenNs = 0;           ///< of it writing and building code
  int64_t autotuneNs = 0;          ///< of Inductor trying configurations of kernels
  int64_t tritonNs = 0;            ///< of Inductor compiling kernels with Triton
  int64_t opCount = 0, guardCount = 0;
  std::string failure;     ///< type and reason; empty when it succeeded
  FunctionPlace failedAt;  ///< the user's line, where it is told
  std::string recompileReason, cudagraphSkip, torchVersion, cudaVersion;
  std::vector<std::string> breakReasons;  ///< why analysis was begun anew

  /// Whether it was refused because the frame had reached its limit.
  bool isAtLimit() const;

  /// Whether it failed because of something that cannot be part of a graph.
  bool isUnsupported() const { return failure.starts_with("Unsupported: "); }
};

CompileMetrics readCompileMetrics(JsonView metrics);

/// Stores the durations as phases that do not overlap, and the counts.
void storePhases(const CompileMetrics& metrics, trace::CompileRow& row);

}  // namespace jitscope::analyzer
