#pragma once

#include "compiler/frame.h"
#include "trace/schema.h"

namespace jitscope::compiler {

/// The next frame number of the process.
trace::FrameId nextFrameId();

/// Frames in existence, so that `reset` reaches them. Safe from any thread.
void registerFrame(Frame* frame);
void unregisterFrame(Frame* frame);
void resetAllFrames();

}  // namespace jitscope::compiler
