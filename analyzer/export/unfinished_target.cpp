#include "analyzer/export/unfinished_target.h"

#include <system_error>
#include <utility>

#include "analyzer/unfinished_paths.h"

namespace jitscope::analyzer {
namespace {

namespace fs = std::filesystem;

/// The file that a link leads to, for the link should stay one; else `path`.
fs::path behindLinks(const fs::path& path) {
  std::error_code problem;
  fs::path real = fs::canonical(path, problem);
  return problem ? path : real;
}

}  // namespace

UnfinishedTarget::UnfinishedTarget(const fs::path& target)
    : target_(target.has_filename() ? target : target.parent_path()), path_(target_) {
  std::error_code ignored;
  const bool isThere = fs::symlink_status(target_, ignored).type() != fs::file_type::not_found;
  if (isThere && !fs::is_regular_file(target_, ignored)) return;
  isPending_ = true;
  target_ = behindLinks(target_);
  path_ = target_;
  path_ += ".unfinished";
  const std::scoped_lock lock(unfinishedPaths().mutex);
  unfinishedPaths().paths.insert(path_);
  fs::remove_all(path_, ignored);
}

UnfinishedTarget::~UnfinishedTarget() {
  if (!isPending_) return;
  const std::scoped_lock lock(unfinishedPaths().mutex);
  unfinishedPaths().paths.erase(path_);
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

UnfinishedTarget::UnfinishedTarget(UnfinishedTarget&& other) noexcept
    : target_(std::move(other.target_)),
      path_(std::move(other.path_)),
      isPending_(std::exchange(other.isPending_, false)) {}

trace::Result<void> UnfinishedTarget::finish() {
  if (!isPending_) return {};
  std::error_code problem;
  const fs::file_status before = fs::status(target_, problem);
  if (fs::is_regular_file(before)) fs::permissions(path_, before.permissions(), problem);
  const std::scoped_lock lock(unfinishedPaths().mutex);
  fs::rename(path_, target_, problem);
  if (problem) return trace::Error{problem.message()};
  unfinishedPaths().paths.erase(path_);
  isPending_ = false;
  return {};
}

}  // namespace jitscope::analyzer
