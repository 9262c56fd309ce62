#pragma once

#include <filesystem>

#include "gui/loading/diff_sheets.h"
#include "gui/loading/page_job.h"
#include "gui/models/sheet_table.h"
#include "gui/pages/page.h"
#include "gui/selection.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTabBar;

namespace jitscope::gui {

class SheetView;
class ElidedLabel;

/// The page that compares the opened recording, as it was before, with a second one.
class DiffPage final : public Page {
  Q_OBJECT
 public:
  explicit DiffPage(Selection* selection, QWidget* parent = nullptr);

  void open(const std::shared_ptr<const Recording>& recording) override;

  /// Compares with the recording at `after`, once there is one to compare; with none, where it is
  /// empty.
  void compareTo(const std::filesystem::path& after);

  /// Why the second recording is not compared, in one line; empty while there is no reason.
  const QString& error() const { return sheets_.error; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makePaths();
  QWidget* makeDetails();
  SheetView* makeTable(SheetTable* model, const QString& name);
  void follow();
  void choosePath();
  void compare();
  void showDiff(const DiffSheets& sheets);
  void showDetails(int which);
  void fitTotals();

  std::shared_ptr<const Recording> recording_;
  std::filesystem::path after_;  ///< empty: none is chosen
  PageJob<DiffSheets> comparing_;
  DiffSheets sheets_;
  struct Models {
    SheetTable* totals = nullptr;
    SheetTable* details = nullptr;
  } models_;
  struct Parts {
    ElidedLabel* before = nullptr;
    QLineEdit* after = nullptr;
    QPushButton* choose = nullptr;
    QLabel* verdict = nullptr;
    SheetView* totals = nullptr;
    QWidget* body = nullptr;
    QTabBar* tabs = nullptr;
    QCheckBox* faint = nullptr;
    SheetView* details = nullptr;
    ElidedLabel* empty = nullptr;
  } parts_;
};

}  // namespace jitscope::gui
