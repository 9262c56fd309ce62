#pragma once

#include <filesystem>

#include "trace/result.h"

namespace jitscope::analyzer {

/// A file or folder in the making. It is written under another name beside its target and gets its
/// own name when all of it is there: a failure, or the end of the program (removeUnfinishedPaths),
/// leaves what stood there before, and nothing in the way of the next try. What is no file (a
/// device, a pipe) is written itself.
class UnfinishedTarget {
 public:
  /// Takes away what an earlier try left.
  explicit UnfinishedTarget(const std::filesystem::path& target);

  /// Takes away what has not been finished.
  ~UnfinishedTarget();
  UnfinishedTarget(UnfinishedTarget&& other) noexcept;
  UnfinishedTarget& operator=(UnfinishedTarget&&) = delete;
  UnfinishedTarget(const UnfinishedTarget&) = delete;
  UnfinishedTarget& operator=(const UnfinishedTarget&) = delete;

  /// Where to write.
  const std::filesystem::path& path() const { return path_; }

  /// Gives it its name, when it has been written and closed. The error says why only.
  trace::Result<void> finish();

 private:
  std::filesystem::path target_, path_;
  bool isPending_ = false;  ///< stands beside its target
};

}  // namespace jitscope::analyzer
