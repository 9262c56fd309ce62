#pragma once

#include "gui/loading/page_job.h"
#include "gui/models/detail.h"
#include "gui/models/finding_list.h"
#include "gui/pages/page.h"
#include "gui/selection.h"

class QLabel;

namespace jitscope::gui {

class DetailPanel;
class FindingCards;
class MarkStrip;

/// The recording at a glance: the verdict, what was found with cause and fix, breaks and recompiles
/// over time, and beside them the numbers of the whole.
class OverviewPage final : public Page {
  Q_OBJECT
 public:
  explicit OverviewPage(Selection* selection, QWidget* parent = nullptr);

  void open(const std::shared_ptr<const Recording>& recording) override;

 private:
  QWidget* makeLeft();

  Selection* selection_;
  FindingList findings_;
  QLabel* verdict_ = nullptr;
  QLabel* remark_ = nullptr;
  FindingCards* cards_ = nullptr;
  MarkStrip* marks_ = nullptr;
  DetailPanel* numbers_ = nullptr;
  PageJob<Detail> job_;
};

}  // namespace jitscope::gui
