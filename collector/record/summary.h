#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jitscope::collector {

/// What a recording turned out to be, for its closing line.
struct Summary {
  uint64_t sizeBytes = 0;
  size_t processes = 0;
  size_t unfinished = 0;                                   ///< killed, or still running
  std::vector<std::pair<std::string, int64_t>> rowCounts;  ///< of tables with events, not empty
  int64_t exactKernels = 0;                                ///< kernels whose bytes were counted
  int64_t lostRows = 0;
  int64_t overheadNs = 0;
  bool isWindowed = false;                       ///< recorded in windows, in at least one process
  size_t windows = 0;                            ///< those of all processes
  int64_t windowsNs = 0;                         ///< how long they were, together
  std::map<std::string, int64_t> windowReasons;  ///< how many began for each reason
  std::optional<int64_t> mostSteps;  ///< that a process ended; nothing where none were counted
  bool isGpuSeen = false;            ///< the program used one
  bool isWhyUnsampledTold = false;   ///< the notes say why no memory traffic was sampled
  bool isTrafficSampled = false;     ///< of a GPU's memory
  /// What the recorder says was lost, and files that cannot be read.
  std::vector<std::string> notes;
};

/// Reads the recording at `path`: a file, or a folder of them.
Summary summarize(const std::filesystem::path& path);

/// The same for the windows of a flight recorder.
std::string describeFlight(const Summary& summary, const std::filesystem::path& path);

/// `recorded PATH: 1.2 MB, 1 process, 1204 op, 12 call; nothing lost; own time 12.1 ms`
std::string describe(const Summary& summary, const std::filesystem::path& path);

/// `; no memory traffic was sampled: no GPU was seen in use`, where it was asked for. Empty when
/// some was sampled, or the notes say why not.
std::string missingTraffic(const Summary& summary);

}  // namespace jitscope::collector
