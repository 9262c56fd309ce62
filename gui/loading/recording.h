#pragma once

#include <memory>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "gui/models/finding_list.h"

namespace jitscope::gui {

/// What was opened, as the analyzer has it. Made on a worker, then never changed: threads share it
/// as `shared_ptr<const Recording>`.
struct Recording {
  std::shared_ptr<const analyzer::Run> run;
  analyzer::Analysis analysis;
  std::shared_ptr<const Findings> findings;  ///< of `analysis`, as the window shows them
};

}  // namespace jitscope::gui
