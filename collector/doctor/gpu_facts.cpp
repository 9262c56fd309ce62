#include "collector/doctor/gpu_facts.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "collector/doctor/output_of.h"
#include "collector/environment.h"
#include "collector/record/preload.h"

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
  if (!version || version(&number) != 0) return {};
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string cuptiOfPython() {
  return outputOf({"python3", "-c",
                   "import glob, sys; print(next(p for d in sys.path for p in "
                   "glob.glob(d + '/nvidia/**/libcupti.so*', recursive=True)))"});
}

// Where a program that is recorded looks for it (collector/cupti/cupti_search.h).
void findCupti(GpuFacts& facts) {
  constexpr const char* kPlaces[] = {"libcupti.so.13",
                                     "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13",
                                     "/usr/local/cuda/lib64/libcupti.so.13"};
  void* library = nullptr;
  for (const char* place : kPlaces) {
    library = dlopen(place, RTLD_NOW | RTLD_LOCAL);
    if (library) facts.cupti = place;
    if (library) break;
  }
  if (!library) {
    facts.cupti = cuptiOfPython();
    if (!facts.cupti.empty()) library = dlopen(facts.cupti.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (!library) return;
  const auto version = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuptiGetVersion"));
  if (version) version(&facts.cuptiVersion);
}

std::string recorderLibrary() {
  const auto inject = injectLibrary();
  if (!inject) return {};
  const std::filesystem::path library = inject->parent_path() / kCuptiLibrary;
  std::error_code error;
  return std::filesystem::exists(library, error) ? library.string() : std::string();
}

}  // namespace

GpuFacts findGpuFacts() {
  GpuFacts facts;
  if (void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    facts.hasDriver = true;
    facts.cudaVersion = cudaOfDriver(library);
    facts.gpu =
        outputOf({"nvidia-smi", "--query-gpu=name,mig.mode.current", "--format=csv,noheader"});
  }
  facts.driver = lineWith("/proc/driver/nvidia/version", "NVRM version");
  findCupti(facts);
  facts.recorder = recorderLibrary();
  facts.otherInjection = otherCudaInjection();
  const std::string line = lineWith("/proc/driver/nvidia/params", "RmProfilingAdminOnly");
  if (!line.empty()) facts.isForAdministrator = line.find(": 0") == line.npos;
  facts.isAdministrator = geteuid() == 0;
  return facts;
}

}  // namespace jitscope::collector
