#pragma once

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// In which language the user of a compiled function writes, and so in which a fix is told.
enum class Language { kCpp, kPython };

/// By the process, where it says what runs in it, and by the file that the function stands in.
Language languageOf(const Run& run, ProcessIndex process, FrameIndex frame);

}  // namespace jitscope::analyzer
