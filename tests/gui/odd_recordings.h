#pragma once

#include <filesystem>
#include <span>

#include "trace/sink.h"

namespace jitscope::gui {

/// A recording as no healthy program makes it, which the window must bear all the same.
struct OddRecording {
  const char* name;
  void (*write)(trace::EventSink& sink);
};

/// All of them.
std::span<const OddRecording> oddRecordings();

/// Writes one into a file. A false answer: the file could not be written.
bool writeOddRecording(const OddRecording& recording, const std::filesystem::path& path);

}  // namespace jitscope::gui
