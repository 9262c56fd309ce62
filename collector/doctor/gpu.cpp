#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "collector/doctor/check.h"
#include "collector/doctor/output_of.h"

namespace jitscope::collector {
namespace {

std::string lineWith(const char* path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.find(word) != line.npos) return line;
  }
  return {};
}

// The driver's own library tells the newest CUDA that it serves, as 1000 * major + 10 * minor.
std::string cudaOfDriver(void* library) {
  const auto version = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDriverGetVersion"));
  int number = 0;
  if (!version || version(&number) != 0) return "CUDA not known";
  return fmt::format("CUDA {}.{}", number / 1000, number % 1000 / 10);
}

Check checkDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return {"GPU driver", State::kAbsent, "no libcuda.so.1: no NVIDIA GPU can be used",
            "work on the CPU is recorded all the same"};
  }
  const std::string cuda = cudaOfDriver(library);
  const std::string line = lineWith("/proc/driver/nvidia/version", "NVRM version");
  return {"GPU driver", State::kGood, line.empty() ? cuda : cuda + ", " + line, ""};
}

std::string cuptiOfPython() {
  return outputOf({"python3", "-c",
                   "import glob, sys; print(next(p for d in sys.path for p in "
                   "glob.glob(d + '/nvidia/**/libcupti.so*', recursive=True)))"});
}

Check checkCupti() {
  for (const char* name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"}) {
    if (dlopen(name, RTLD_NOW | RTLD_LOCAL)) return {"CUPTI", State::kGood, name, ""};
  }
  const std::string packaged = cuptiOfPython();
  if (!packaged.empty()) return {"CUPTI", State::kGood, packaged, ""};
  return {"CUPTI", State::kAbsent, "not found",
          "install the CUDA Toolkit's CUPTI, or torch built for CUDA, to record kernels"};
}

Check checkCounters() {
  constexpr const char* kMatter = "GPU counters";
  const std::string line = lineWith("/proc/driver/nvidia/params", "RmProfilingAdminOnly");
  if (line.empty()) return {kMatter, State::kAbsent, "no NVIDIA driver is loaded", ""};
  const bool isForAll = line.find(": 0") != line.npos;
  if (isForAll || geteuid() == 0) {
    return {kMatter, State::kGood,
            isForAll ? "every user may read them" : "this user may read them", ""};
  }
  return {kMatter, State::kAbsent, "only the administrator may read them",
          "load the driver with NVreg_RestrictProfilingToAdminUsers=0, or run as root"};
}

}  // namespace

std::vector<Check> checkGpu() { return {checkDriver(), checkCupti(), checkCounters()}; }

}  // namespace jitscope::collector
