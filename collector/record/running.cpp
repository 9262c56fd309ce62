#include "collector/record/running.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <string>
#include <system_error>

#include "collector/environment.h"

namespace jitscope::collector {
namespace {

bool isProcess(const std::filesystem::path& entry) {
  const std::string name = entry.filename().string();
  return std::all_of(name.begin(), name.end(),
                     [](unsigned char letter) { return std::isdigit(letter); });
}

// As the process was started; children that were only forked have it from their parent.
bool hasVariable(const std::filesystem::path& process, const std::string& assignment) {
  std::ifstream environment(process / "environ", std::ios::binary);
  for (std::string each; std::getline(environment, each, '\0');) {
    if (each == assignment) return true;
  }
  return false;
}

}  // namespace

size_t runningProcesses(const std::filesystem::path& folder) {
  const std::string assignment = std::string(kFolderVariable) + '=' + folder.string();
  size_t count = 0;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
       entry.increment(error)) {
    if (isProcess(entry->path()) && hasVariable(entry->path(), assignment)) ++count;
  }
  return count;
}

}  // namespace jitscope::collector
