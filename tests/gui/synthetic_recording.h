#pragma once

#include <filesystem>

namespace jitscope::gui {

/// A made-up decoder service, for tests of the window: eager steps first, then compiled ones with a
/// graph break in each step and one recompile.
struct SyntheticRecording {
  int eagerSteps = 12;
  int compiledSteps = 16;
  int layers = 4;
  bool hasGpu = false;  ///< kernels, a copy and DRAM counters too
};

/// Writes it; the same content for the same numbers. A false answer: the file could not be written.
bool writeRecording(const SyntheticRecording& wanted, const std::filesystem::path& path);

}  // namespace jitscope::gui
