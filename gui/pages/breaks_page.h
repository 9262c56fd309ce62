#pragma once

#include "gui/loading/page_job.h"
#include "gui/models/cause_views.h"
#include "gui/models/sheet_table.h"
#include "gui/pages/page.h"
#include "gui/selection.h"

class QStackedLayout;

namespace jitscope::gui {

class DetailPanel;
class EmptyNote;
class SheetView;

/// Breaks and recompiles: the causes, each with its fix, stack and source; below them the
/// compilations of the frames that the chosen cause happened in.
class BreaksPage final : public Page {
  Q_OBJECT
 public:
  explicit BreaksPage(Selection* selection, QWidget* parent = nullptr);

  void open(const std::shared_ptr<const Recording>& recording) override;

 private:
  QWidget* makeTables();
  void show(const CauseViews& views);
  void fail(const QString& error);
  void showCause(int row);
  void goToCompile(int row);

  Selection* selection_;
  CauseViews views_;
  SheetTable* causes_;
  SheetTable* history_;
  SheetView* causeView_ = nullptr;
  DetailPanel* detail_ = nullptr;
  EmptyNote* empty_ = nullptr;
  PageJob<CauseViews> job_;
};

}  // namespace jitscope::gui
