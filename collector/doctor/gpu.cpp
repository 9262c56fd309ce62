#include <fmt/format.h>

#include "collector/doctor/check.h"
#include "collector/doctor/gpu_facts.h"
#include "collector/environment.h"

namespace jitscope::collector {
namespace {

/// Before 13.0 the number only counted releases.
constexpr int kOldestCupti = 130'000;

Check judgeDriver(const GpuFacts& facts) {
  if (!facts.hasDriver) {
    return {"GPU driver", State::kAbsent, "no libcuda.so.1: no NVIDIA GPU can be used",
            "work on the CPU is recorded all the same"};
  }
  const std::string cuda =
      facts.cudaVersion.empty() ? "CUDA not known" : "CUDA " + facts.cudaVersion;
  return {"GPU driver", State::kGood, facts.driver.empty() ? cuda : cuda + ", " + facts.driver, ""};
}

Check judgeGpuItself(const GpuFacts& facts) {
  const size_t comma = facts.gpu.rfind(", ");
  const std::string name = facts.gpu.substr(0, comma);
  const bool isMig = comma != facts.gpu.npos && facts.gpu.substr(comma + 2) == "Enabled";
  if (!isMig) return {"GPU", State::kGood, name, ""};
  return {"GPU", State::kAbsent, name + ", cut into instances (MIG)",
          "kernels are recorded; memory traffic only in an instance with all of its engines"};
}

Check judgeCupti(const GpuFacts& facts) {
  if (facts.cupti.empty()) {
    return {"CUPTI", State::kAbsent, "not found",
            "install the CUDA Toolkit's CUPTI, or torch built for CUDA 13, to record kernels"};
  }
  const bool isOld = facts.cuptiVersion != 0 && facts.cuptiVersion < kOldestCupti;
  if (isOld) {
    return {"CUPTI", State::kAbsent, facts.cupti + " is older than 13.0",
            "install CUDA 13's CUPTI, or torch built for CUDA 13, to record kernels"};
  }
  if (facts.cuptiVersion == 0) return {"CUPTI", State::kGood, facts.cupti, ""};
  return {"CUPTI", State::kGood,
          fmt::format("{}, version {}.{}", facts.cupti, facts.cuptiVersion / 10'000,
                      facts.cuptiVersion / 100 % 100),
          ""};
}

Check judgeRecorder(const GpuFacts& facts) {
  if (facts.recorder.empty()) {
    return {"GPU recorder", State::kAbsent, "this jitscope was built without it",
            "build it with -DWITH_CUDA=ON to record kernels"};
  }
  if (!facts.otherInjection.empty()) {
    return {"GPU recorder", State::kAbsent,
            fmt::format("{} is set to {}", kCudaInjectionVariable, facts.otherInjection),
            "unset it to record kernels"};
  }
  return {"GPU recorder", State::kGood, facts.recorder, ""};
}

Check judgeCounters(const GpuFacts& facts) {
  constexpr const char* kMatter = "GPU counters";
  if (!facts.isForAdministrator) {
    return {kMatter, State::kAbsent, "no NVIDIA driver is loaded", ""};
  }
  if (!*facts.isForAdministrator) return {kMatter, State::kGood, "every user may read them", ""};
  if (facts.isAdministrator) return {kMatter, State::kGood, "this user may read them", ""};
  return {kMatter, State::kAbsent, "only the administrator may read them",
          "load the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as root"};
}

}  // namespace

std::vector<Check> judgeGpu(const GpuFacts& facts) {
  std::vector<Check> checks = {judgeDriver(facts)};
  if (!facts.gpu.empty()) checks.push_back(judgeGpuItself(facts));
  checks.push_back(judgeCupti(facts));
  checks.push_back(judgeRecorder(facts));
  checks.push_back(judgeCounters(facts));
  return checks;
}

std::vector<Check> checkGpu() { return judgeGpu(findGpuFacts()); }

}  // namespace jitscope::collector
