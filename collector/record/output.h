#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "trace/result.h"

namespace jitscope::collector {

/// The place of a recording. While it is made it is a folder, into which each recorded process puts
/// its file, so that it can be opened at any moment whatever happens; in the end it is a single
/// file when there is a single one in it.
class Output {
 public:
  /// Makes the folder at `path`. A recording that stands there is replaced; an error when something
  /// else stands there, when it is still being made, or when nothing can be written.
  static trace::Result<Output> create(const std::filesystem::path& path);

  /// Where it is, absolute.
  const std::filesystem::path& path() const { return path_; }

  /// The trace files in it, in the order of their names.
  std::vector<std::filesystem::path> files() const;

  /// Takes it away again if nothing was put there.
  void removeIfEmpty() const;

  /// Turns a folder with one file into that file. Any other folder stays.
  void settle() const;

 private:
  class Claim;
  Output(std::filesystem::path path, std::shared_ptr<const Claim> claim)
      : path_(std::move(path)), claim_(std::move(claim)) {}
  std::filesystem::path path_;
  std::shared_ptr<const Claim> claim_;  ///< keeps others from replacing what is being made
};

}  // namespace jitscope::collector
