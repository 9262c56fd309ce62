#pragma once

#include <QLabel>

#include "gui/loading/range_job.h"
#include "gui/models/range_table.h"
#include "gui/pages/page.h"
#include "gui/selection.h"

class QSplitter;

namespace jitscope::gui {

class ElidedLabel;
class TimelineView;

/// The page of the two timelines: verdict, panes, overview, numbers of the selected range.
class TimelinesPage final : public Page {
  Q_OBJECT
 public:
  explicit TimelinesPage(Selection* selection, QWidget* parent = nullptr);

  /// Shows the verdict; the panes follow the selection.
  void open(const std::shared_ptr<const Recording>& recording) override;
  TimelineView* timelines() const { return timelines_; }

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeVerdict();
  QWidget* makeNumbers();
  void follow();
  void giveRoom();
  void count();
  void showNumbers();
  QString numbersHeading() const;

  Selection* selection_;
  ElidedLabel* verdict_ = nullptr;
  ElidedLabel* remark_ = nullptr;
  QLabel* summary_ = nullptr;
  TimelineView* timelines_ = nullptr;
  QSplitter* splitter_ = nullptr;
  RangeTable* table_;
  RangeJob* job_;
};

}  // namespace jitscope::gui
