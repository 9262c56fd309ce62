#pragma once

#include <QStringList>

namespace jitscope::gui {

/// The queries of a session, oldest first, and which of them is being looked at.
class QueryHistory {
 public:
  /// Notes a query that was asked; the same one asked again moves to the end.
  void add(const QString& query);

  /// The query before the one that is looked at; `draft` is what stands in the editor, and comes
  /// back behind the last. Null when there is none.
  QString older(const QString& draft);
  /// The query behind the one that is looked at, at last the draft. Null when there is none.
  QString newer();

  const QStringList& queries() const { return queries_; }

 private:
  QStringList queries_;
  QString draft_;
  qsizetype at_ = 0;  ///< behind the last: at the draft
};

}  // namespace jitscope::gui
