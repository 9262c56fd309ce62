#include "collector/cupti/cupti_search.h"

#include <cupti.h>
#include <link.h>

#include <cstdlib>
#include <cstring>

namespace jitscope::collector {
namespace {

/// Another major version has other records; programs bring such copies along.
const std::string& libraryName() {
  static const std::string& name =
      *new std::string("libcupti.so." + std::to_string(CUPTI_API_VERSION / 10'000));
  return name;
}

struct Mapped {
  std::string cupti;
  std::string runtimeFolder;  ///< of libcudart, with the slash
};

int look(dl_phdr_info* library, size_t, void* result) {
  auto& found = *static_cast<Mapped*>(result);
  const char* path = library->dlpi_name;
  const char* slash = path ? std::strrchr(path, '/') : nullptr;
  if (!slash) return 0;
  const std::string_view name = slash + 1;
  // Packages rename libraries: libcupti-1a2b3c4d.so.13.
  const std::string suffix = libraryName().substr(libraryName().find(".so."));
  const bool isCupti = name.starts_with("libcupti") && name.find(suffix) != name.npos;
  if (isCupti) found.cupti = path;
  if (name.starts_with("libcudart.so")) found.runtimeFolder.assign(path, slash + 1);
  return 0;
}

}  // namespace

std::vector<std::string> cuptiCandidates() {
  Mapped mapped;
  dl_iterate_phdr(look, &mapped);
  if (!mapped.cupti.empty()) return {mapped.cupti};
  std::vector<std::string> candidates{libraryName()};
  if (!mapped.runtimeFolder.empty()) candidates.push_back(mapped.runtimeFolder + libraryName());
  std::vector<std::string> toolkits;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* folder = std::getenv(variable);
    if (folder && *folder) toolkits.emplace_back(folder);
  }
  toolkits.emplace_back("/usr/local/cuda");
  for (const std::string& toolkit : toolkits) {
    candidates.push_back(toolkit + "/extras/CUPTI/lib64/" + libraryName());
    candidates.push_back(toolkit + "/lib64/" + libraryName());
  }
  return candidates;
}

}  // namespace jitscope::collector
