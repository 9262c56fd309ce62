// What happens when the library is loaded and when the program ends in an orderly way.
#include <cstdlib>

#include "collector/environment.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/session.h"
#include "collector/inject/windows.h"

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the sanitizer's name.
extern "C" __attribute__((weak)) void __tsan_init();

namespace jitscope::collector {

namespace {

__attribute__((constructor)) void onLoad() {
  const ErrnoGuard errnoGuard;
  // The thread sanitizer ends a program that starts threads in a child of a fork, if there were
  // several in the parent, and with ours there are.
  const bool hasThreadSanitizer = __tsan_init != nullptr;
  const char* const folder = std::getenv(kFolderVariable);
  prepareWindows(std::getenv(kWindowsVariable), folder);
  prepareSession(folder, hasThreadSanitizer);
  // Handlers run in the reverse of their order, so the program's own still record.
  std::at_quick_exit([] { endSession(End::kExit); });
}

__attribute__((destructor)) void onExit() { endSession(End::kExit); }

}  // namespace
}  // namespace jitscope::collector
