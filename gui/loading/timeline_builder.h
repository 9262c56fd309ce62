#pragma once

#include <functional>
#include <memory>

#include "analyzer/run.h"
#include "gui/models/timeline.h"

namespace jitscope::gui {

/// Turns a run into what the window draws: lanes with their pyramids, marks, aligned steps.
/// `proceed` is told how far it is, in percent; when it answers false the work is given up and the
/// result is null. The timeline keeps `run` alive, for it describes events from the run's tables.
std::shared_ptr<const Timeline> buildTimeline(const std::shared_ptr<const analyzer::Run>& run,
                                              const std::function<bool(int percent)>& proceed);

}  // namespace jitscope::gui
