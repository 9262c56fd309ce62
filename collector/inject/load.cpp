// What happens when the library is loaded and when the program ends in an orderly way.
#include <cstdlib>

#include "collector/environment.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/session.h"

namespace jitscope::collector {

namespace {

__attribute__((constructor)) void onLoad() {
  const ErrnoGuard errnoGuard;
  prepareSession(std::getenv(kFolderVariable));
  // Handlers run in the reverse of their order, so the program's own still record.
  std::at_quick_exit([] { endSession(End::kExit); });
}

__attribute__((destructor)) void onExit() { endSession(End::kExit); }

}  // namespace
}  // namespace jitscope::collector
