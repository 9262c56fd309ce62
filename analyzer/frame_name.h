#pragma once

#include <string>

#include "analyzer/place.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What a frame is called: its name, or "frame 3" when the recording does not have it.
std::string frameName(const Run& run, FrameIndex frame);

/// Where the compiled callable is defined or was compiled.
Place framePlace(const Run& run, FrameIndex frame);

/// The compile id `F/C`.
std::string compileId(trace::FrameId frame, trace::AttemptId attempt);

}  // namespace jitscope::analyzer
