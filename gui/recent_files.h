#pragma once

#include <QStringList>
#include <filesystem>

namespace jitscope::gui {

/// The recordings that were opened last, kept in the user's settings.
class RecentFiles {
 public:
  /// The newest first; those that are still there.
  static QStringList list();
  /// Puts `path` in front. Paths that are no UTF-8 are not kept.
  static void add(const std::filesystem::path& path);
};

}  // namespace jitscope::gui
