#include "analyzer/export/new_folder.h"

#include <system_error>

#include "analyzer/export/unfinished_target.h"

namespace jitscope::analyzer {

namespace fs = std::filesystem;

trace::Result<void> makeFolder(const fs::path& path) {
  std::error_code problem;
  if (fs::create_directory(path, problem)) return {};
  return trace::Error{"cannot be made: " + (problem ? problem.message() : "it is there already")};
}

trace::Result<void> writeFolder(
    const fs::path& target,
    const std::function<trace::Result<void>(const fs::path& folder)>& fill) {
  std::error_code problem;
  if (fs::exists(target, problem))
    return trace::Error{target.string() + ": is there already, name a new folder"};
  UnfinishedTarget folder(target);
  trace::Result<void> done = makeFolder(folder.path());
  if (done) done = fill(folder.path());
  if (done) done = folder.finish();
  return done ? done : trace::Result<void>(done.error().within(target.string()));
}

}  // namespace jitscope::analyzer
