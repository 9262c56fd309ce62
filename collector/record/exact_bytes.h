#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace jitscope::collector {

/// How the run of a program went in which the bytes of its kernels were counted.
struct CountingRun {
  std::filesystem::path folder;  ///< holds a trace for each of its processes
  std::string ending;            ///< "signal 9 ended it"; empty when it ended as the first one did
};

/// Gives the kernels of the recording in `folder` the bytes that were counted in another run of the
/// program. Kernels are found in it by the order of their launches, their name, grid and block, in
/// the process of the same command. What is left without is told by a loss in each trace.
void addExactBytes(const std::filesystem::path& folder, const CountingRun& counting);

/// Tells in the traces in `folder` that their kernels have no exact bytes, and why.
void tellNoExactBytes(const std::filesystem::path& folder, const std::string& why);

/// How many kernels the recording in `folder` has.
int64_t kernelCount(const std::filesystem::path& folder);

}  // namespace jitscope::collector
