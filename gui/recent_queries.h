#pragma once

#include <QStringList>

namespace jitscope::gui {

/// The queries that were asked last, kept in the user's settings.
class RecentQueries {
 public:
  static constexpr qsizetype kMostQueries = 100;
  static constexpr qsizetype kMostLetters = 10'000;  ///< of one; longer ones are not kept

  /// The newest first.
  static QStringList list();
  /// Puts `query` in front.
  static void add(const QString& query);
};

}  // namespace jitscope::gui
