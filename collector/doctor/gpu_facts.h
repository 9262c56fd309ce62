#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collector/doctor/check.h"

namespace jitscope::collector {

/// What a machine tells about its GPU, before it is judged. A test makes one up.
struct GpuFacts {
  bool hasDriver = false;
  std::string cudaVersion;  ///< newest that the driver serves, "13.0"
  std::string driver;       ///< its version, as its module tells
  std::string gpu;          ///< "NVIDIA H200, Disabled": name and whether MIG is on; may be empty
  std::string cupti;        ///< where it was found; empty: nowhere
  int cuptiVersion = 0;     ///< 130001 is 13.0; smaller numbers count releases before; 0: unknown
  std::string recorder;     ///< our library that records GPUs; empty: it was not built
  std::string otherInjection;              ///< what the user has CUDA load
  std::optional<bool> isForAdministrator;  ///< whether counters are; nothing without a driver
  bool isAdministrator = false;
};

/// Looks around on this machine.
GpuFacts findGpuFacts();

/// One line for each matter.
std::vector<Check> judgeGpu(const GpuFacts& facts);

}  // namespace jitscope::collector
