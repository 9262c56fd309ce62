#include "collector/inject/own_folder.h"

#include <dlfcn.h>

namespace jitscope::collector {

std::string ownFolder() {
  Dl_info self{};
  if (!dladdr(reinterpret_cast<void*>(&ownFolder), &self) || !self.dli_fname) return ".";
  const std::string path = self.dli_fname;
  return path.substr(0, path.rfind('/'));
}

}  // namespace jitscope::collector
