#pragma once

#include <filesystem>
#include <vector>

#include "trace/result.h"

namespace jitscope::collector {

/// The place of a recording. While it is made it is a folder, into which each recorded process puts
/// its file, so that it can be opened at any moment whatever happens; in the end it is a single
/// file when there is a single one in it.
class Output {
 public:
  /// Makes the folder at `path`. A recording that stands there is replaced; an error when something
  /// else stands there, or when nothing can be written.
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
  explicit Output(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace jitscope::collector
