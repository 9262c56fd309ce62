#include "collector/cupti/opened_library.h"

#include <dlfcn.h>

namespace jitscope::collector {

trace::Result<OpenedLibrary> OpenedLibrary::open(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return trace::Error{why ? why : path + ": cannot be opened"};
  }
  return OpenedLibrary(library);
}

void* OpenedLibrary::look(const char* name) {
  void* function = dlsym(library_, name);
  if (!function && !missing_) missing_ = name;
  return function;
}

}  // namespace jitscope::collector
