#pragma once

#include <memory>

#include "analyzer/analysis.h"
#include "gui/models/finding_list.h"

namespace jitscope::gui {

/// The analyzer's findings and verdict as the window shows them.
std::shared_ptr<const Findings> findingViews(const analyzer::Run& run,
                                             const analyzer::Analysis& analysis);

}  // namespace jitscope::gui
