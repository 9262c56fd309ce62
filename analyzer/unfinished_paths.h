#pragma once

#include <filesystem>
#include <mutex>
#include <set>

namespace jitscope::analyzer {

/// The files and folders of this process that must not stay when a signal ends it. Whoever makes
/// one puts it into `paths` first; renaming, removing and changes of `paths` need `mutex`.
struct UnfinishedPaths {
  std::mutex mutex;
  std::set<std::filesystem::path> paths;
};

/// Those of this process. Global, for whoever ends the process knows none of its parts.
UnfinishedPaths& unfinishedPaths();

/// Takes all of them away, and lets none be made or get its name any more: for the end of the
/// process. Any thread.
void removeUnfinishedPaths();

}  // namespace jitscope::analyzer
