#include "analyzer/export/unfinished_target.h"

#include <system_error>
#include <utility>

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

UnfinishedTarget::UnfinishedTarget(const fs::path& target) : target_(target), path_(target) {
  std::error_code ignored;
  const bool isThere = fs::symlink_status(target, ignored).type() != fs::file_type::not_found;
  if (isThere && !fs::is_regular_file(target, ignored)) return;
  isPending_ = true;
  target_ = behindLinks(target);
  path_ = target_;
  path_ += ".unfinished";
  fs::remove_all(path_, ignored);
}

UnfinishedTarget::~UnfinishedTarget() {
  std::error_code ignored;
  if (isPending_) fs::remove_all(path_, ignored);
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
  fs::rename(path_, target_, problem);
  if (problem) return trace::Error{problem.message()};
  isPending_ = false;
  return {};
}

}  // namespace jitscope::analyzer
