#pragma once

#include <QStringList>
#include <cstdint>
#include <string>

#include "gui/models/detail.h"

namespace jitscope::gui {

/// Excerpts of source files. Keeps the last file that was asked for. Reads files: for a worker.
class SourceExcerpts {
 public:
  /// `recordedNs` is when the recording began: a file that changed since then says so.
  explicit SourceExcerpts(int64_t recordedNs) : recordedNs_(recordedNs) {}

  /// The lines of `file` around `line`, the line itself marked; an empty section when the file is
  /// not on this machine, is no text or has no such line.
  DetailSection around(const std::string& file, int64_t line);

 private:
  void read(const std::string& file);

  int64_t recordedNs_;
  std::string file_;
  QStringList lines_;  ///< of `file_`; empty where it cannot be shown
  bool isNewer_ = false;
};

}  // namespace jitscope::gui
