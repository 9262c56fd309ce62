#include "collector/cupti/opened_library.h"

#include <dlfcn.h>
#include <link.h>

namespace jitscope::collector {

trace::Result<OpenedLibrary> OpenedLibrary::open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return trace::Error{why ? why : path + ": cannot be opened"};
  }
  return OpenedLibrary(library);
}

std::string OpenedLibrary::folder() const {
  const link_map* map = nullptr;
  if (dlinfo(library_, RTLD_DI_LINKMAP, static_cast<void*>(&map)) != 0 || !map->l_name) return "";
  const std::string path = map->l_name;
  return path.substr(0, path.rfind('/') + 1);
}

void* OpenedLibrary::look(const char* name) {
  void* function = dlsym(library_, name);
  if (!function && !missing_) missing_ = name;
  return function;
}

}  // namespace jitscope::collector
