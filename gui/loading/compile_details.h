#pragma once

#include "analyzer/run.h"
#include "gui/models/detail.h"

namespace jitscope::gui {

/// What the window tells about rows of a run that the compiler wrote.
Detail describe(const analyzer::Run& run, const analyzer::Call& call);
Detail describe(const analyzer::Run& run, const analyzer::Region& region);
Detail describe(const analyzer::Run& run, const analyzer::Break& gap);
Detail describe(const analyzer::Run& run, const analyzer::Compile& compile);
Detail describe(const analyzer::Run& run, const analyzer::GuardFailure& failure);

}  // namespace jitscope::gui
