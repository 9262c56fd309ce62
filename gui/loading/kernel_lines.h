#pragma once

#include <memory>

#include "analyzer/duration_spread.h"
#include "analyzer/kernel_summary.h"
#include "gui/loading/recording.h"
#include "gui/models/kernel_table.h"

namespace jitscope::gui {

/// The kernels of a run as the analyzer groups them, and as the window shows them: line for group.
/// A run without kernels has its outermost operators here.
struct GroupedKernels {
  std::vector<analyzer::KernelGroup> groups;
  std::shared_ptr<const KernelLines> lines;
};

/// Groups them. Takes time proportional to their number: for a worker.
GroupedKernels groupedKernels(const Recording& recording);

/// How the durations of one group are spread. For a worker, too.
analyzer::DurationSpread spreadOf(const Recording& recording, const analyzer::KernelGroup& group);

}  // namespace jitscope::gui
