#include "collector/record/preload.h"

#include <cstdlib>
#include <system_error>

#include "collector/environment.h"

namespace jitscope::collector {
namespace {

std::string appended(const char* name, const std::string& value) {
  const char* before = std::getenv(name);
  return before && *before ? std::string(before) + ':' + value : value;
}

std::string otherInjection(const char* variable) {
  const char* other = std::getenv(variable);
  const auto own = injectLibrary();  // what it is when this runs inside of a recorded program
  return other && !(own && own->string() == other) ? other : "";
}

}  // namespace

trace::Result<std::filesystem::path> injectLibrary() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path library =
      program.parent_path().parent_path() / "lib" / kInjectLibrary;
  if (error || !std::filesystem::exists(library, error)) {
    return trace::Error{library.string() + ": not found: build or install jitscope as a whole"};
  }
  if (library.string().find_first_of(" :") != std::string::npos) {
    return trace::Error{library.string() +
                        ": cannot be preloaded from a path with a space or a colon: install "
                        "jitscope elsewhere"};
  }
  return library;
}

std::map<std::string, std::string> preloadChanges(const std::filesystem::path& folder,
                                                  const RecordArguments& arguments,
                                                  const std::string& windows) {
  std::map<std::string, std::string> changes;
  if (const auto library = injectLibrary()) {
    changes["LD_PRELOAD"] = appended("LD_PRELOAD", library->string());
    if (otherCudaInjection().empty()) changes[kCudaInjectionVariable] = library->string();
    // Only then: without it a range costs the program nothing.
    const bool wantsRanges = !arguments.windows.plan.nvtxRange.empty();
    if (wantsRanges && otherNvtxInjection().empty()) {
      changes[kNvtxInjectionVariable] = library->string();
    }
  }
  changes[kFolderVariable] = folder.string();
  changes[kGraphLevelVariable] = arguments.graphLevel;
  changes[kTrafficVariable] = arguments.traffic;
  changes[kWindowsVariable] = windows;
  // A program that is itself built with the address sanitizer insists on standing first otherwise.
  changes["ASAN_OPTIONS"] = appended("ASAN_OPTIONS", "verify_asan_link_order=0");
  return changes;
}

std::string otherCudaInjection() { return otherInjection(kCudaInjectionVariable); }

std::string otherNvtxInjection() { return otherInjection(kNvtxInjectionVariable); }

}  // namespace jitscope::collector
