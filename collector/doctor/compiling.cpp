#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>

#include "collector/doctor/check.h"
#include "collector/doctor/output_of.h"
#include "collector/environment.h"
#include "collector/record/preload.h"
#include "collector/record/program.h"

namespace jitscope::collector {
namespace {

std::string pythonTorchVersion() {
  // Finds the package without importing it, which takes seconds.
  return outputOf({"python3", "-c",
                   "import importlib.util as u, os, re; s = u.find_spec('torch'); "
                   "t = open(os.path.join(s.submodule_search_locations[0], 'version.py')).read(); "
                   "print(re.search(r\"__version__ = '([^']*)'\", t).group(1))"});
}

// Whether `version` ("2.11.0+cu130") is of the same minor version as `built` ("2.11.0").
bool isSameMinor(const std::string& version, const std::string& built) {
  const std::string minor = built.substr(0, built.rfind('.') + 1);
  return version.starts_with(minor);
}

Check checkTorch() {
  const std::string built = JITSCOPE_TORCH_VERSION;
  const std::string found = pythonTorchVersion();
  if (built.empty()) {
    return {"operators", State::kAbsent, "this jitscope was built without LibTorch",
            "build it with -DWITH_TORCH=ON to record operators"};
  }
  const std::string observer = "recorded in programs with LibTorch " + built;
  if (found.empty()) return {"operators", State::kGood, observer + "; python3 has no torch", ""};
  if (isSameMinor(found, built)) {
    return {"operators", State::kGood, observer + "; python3 has " + found, ""};
  }
  return {"operators", State::kAbsent, observer + ", but python3 has " + found,
          "build jitscope for that version to record its operators"};
}

Check checkObserver() {
  const auto inject = injectLibrary();
  if (!inject) return {"operator library", State::kAbsent, inject.error().text, ""};
  const std::filesystem::path library = inject->parent_path() / kTorchLibrary;
  if (std::filesystem::exists(library)) {
    return {"operator library", State::kGood, library.string(), ""};
  }
  return {"operator library", State::kAbsent, library.string() + " is missing",
          "build or install jitscope with LibTorch"};
}

Check checkCompiler() {
  const char* chosen = std::getenv("CXX");
  for (const std::string& name : {std::string(chosen ? chosen : ""), std::string("c++"),
                                  std::string("g++"), std::string("clang++")}) {
    const std::string path = name.empty() ? "" : findProgram(name);
    if (path.empty()) continue;
    std::string found = path + ": ";
    found += outputOf({path, "--version"});
    return {"C++ compiler", State::kGood, found, ""};
  }
  return {"C++ compiler", State::kAbsent, "none found",
          "install g++ to generate kernels for the CPU"};
}

}  // namespace

std::vector<Check> checkCompiling() { return {checkObserver(), checkTorch(), checkCompiler()}; }

}  // namespace jitscope::collector
