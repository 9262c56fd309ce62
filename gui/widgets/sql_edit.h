#pragma once

#include <QPlainTextEdit>
#include <vector>

#include "gui/models/query_history.h"
#include "gui/models/sql_words.h"

class QCompleter;
class QStringListModel;

namespace jitscope::gui {

/// An editor for SQL: completes tables, columns and words while one types (or by Ctrl+Space), goes
/// through earlier queries by Ctrl+Up and Ctrl+Down, and asks by Ctrl+Return.
class SqlEdit final : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit SqlEdit(std::vector<SqlTable> tables, QWidget* parent = nullptr);

  QueryHistory& history() { return history_; }

  /// What would be offered where the cursor stands.
  QStringList completions() const;

 signals:
  /// The query is to be answered.
  void asked();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  bool focusNextPrevChild(bool next) override;

 private:
  /// Whether it was a key for the list of completions, for the history or for asking.
  bool takeKey(const QKeyEvent& event);
  void showQuery(const QString& query);
  void offer(bool isWanted);
  void complete(const QString& word);

  std::vector<SqlTable> tables_;
  QueryHistory history_;
  QCompleter* completer_ = nullptr;
  QStringListModel* offered_ = nullptr;
};

}  // namespace jitscope::gui
