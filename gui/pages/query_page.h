#pragma once

#include "gui/loading/page_job.h"
#include "gui/loading/query_answer.h"
#include "gui/models/sheet_table.h"
#include "gui/pages/page.h"
#include "gui/selection.h"

class QLabel;
class QPushButton;

namespace jitscope::gui {

class SheetView;
class SqlEdit;

/// The page that answers SQL over the tables of the run. One query at a time, on a worker; while it
/// runs it can be stopped.
class QueryPage final : public Page {
  Q_OBJECT
 public:
  explicit QueryPage(Selection* selection, QWidget* parent = nullptr);

  void open(const std::shared_ptr<const Recording>& recording) override;

  /// Writes the whole answer of the last query that had one as CSV.
  void save(const std::filesystem::path& path);

 protected:
  /// The first look at a recording shows an answer already.
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* makeEditor();
  QWidget* makeBar();
  void follow();
  /// Keeps the query for later sessions, and answers it.
  void ask();
  void answer();
  void stop();
  void showAnswer(const QueryAnswer& answer);
  void showSaved(const SavedAnswer& saved);
  void chooseFile();
  /// Says what the page is doing, and offers what can be done now.
  void showState(const QString& text);

  std::shared_ptr<const Recording> recording_;
  SheetTable* table_;
  PageJob<QueryAnswer> answering_;
  PageJob<SavedAnswer> saving_;
  QString asked_;     ///< the query that is being answered
  QString answered_;  ///< the query whose answer is shown
  struct Parts {
    SqlEdit* editor = nullptr;
    QPushButton* run = nullptr;
    QPushButton* stop = nullptr;
    QPushButton* copy = nullptr;
    QPushButton* save = nullptr;
    QLabel* state = nullptr;
    SheetView* view = nullptr;
    bool isFresh = false;  ///< nothing was asked of this recording yet
    QString savingTo;
  } parts_;
};

}  // namespace jitscope::gui
