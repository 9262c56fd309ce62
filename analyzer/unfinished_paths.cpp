#include "analyzer/unfinished_paths.h"

#include <system_error>

namespace jitscope::analyzer {

UnfinishedPaths& unfinishedPaths() {
  static UnfinishedPaths all;
  return all;
}

void removeUnfinishedPaths() {
  // For good: a target that ends now would stand there half removed.
  unfinishedPaths().mutex.lock();
  constexpr int kTries = 100;  // another thread may still put files into a folder
  for (const std::filesystem::path& path : unfinishedPaths().paths) {
    std::error_code problem;
    for (int i = 0; i < kTries; ++i) {
      std::filesystem::remove_all(path, problem);
      if (!problem && !std::filesystem::exists(path, problem)) break;
    }
  }
}

}  // namespace jitscope::analyzer
