#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "collector/doctor/check.h"

namespace jitscope::collector {
namespace {

Check checkWindow() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path window = program.parent_path() / "jitscope-gui";
  if (std::filesystem::exists(window, error)) return {"window", State::kGood, window.string(), ""};
  return {"window", State::kAbsent, "jitscope-gui is not beside this program",
          "install qt6-base-dev and build with -DWITH_GUI=ON; reports need no window"};
}

Check checkDisplay() {
  for (const char* name : {"WAYLAND_DISPLAY", "DISPLAY"}) {
    const char* value = std::getenv(name);
    if (value && *value) return {"display", State::kGood, std::string(name) + "=" + value, ""};
  }
  return {"display", State::kAbsent, "none",
          "jitscope-gui PATH --screenshot FILE.png draws without one"};
}

}  // namespace

std::vector<Check> checkViewing() { return {checkWindow(), checkDisplay()}; }

}  // namespace jitscope::collector
