#pragma once

#include <string>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// "2 windows of 10.2 s in all (--steps 10..20)" where processes were not recorded all the time;
/// empty where they were.
std::string windowNote(const Run& run);

}  // namespace jitscope::analyzer
