#pragma once

#include <cstdint>
#include <string>

#include "gui/models/detail.h"

namespace jitscope::gui {

/// The lines of `file` around `line`, the line itself marked; an empty section when the file is
/// not on this machine, is no text or has no such line. Reads a file: for a worker.
/// `recordedNs` is when the recording began: a file that changed since then says so.
DetailSection sourceExcerpt(const std::string& file, int64_t line, int64_t recordedNs);

}  // namespace jitscope::gui
