#pragma once

#include <string>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// For how long a run was recorded: "1.23 s recorded"; where processes were not recorded all the
/// time also "12.3 s recorded in 2 windows of 10.2 s in all (--steps 10..20)", or "no window was
/// reached (--steps 10..20) in 1.23 s".
std::string recordedText(const Run& run);

}  // namespace jitscope::analyzer
