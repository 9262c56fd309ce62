#pragma once

#include "gui/loading/page_job.h"
#include "gui/models/graph_views.h"
#include "gui/pages/page.h"
#include "gui/selection.h"

namespace jitscope::gui {

class CellTreeView;
class GraphPanel;
class EmptyNote;

/// Frames and their entries as a tree, and beside it what the chosen node holds: numbers, guards,
/// graphs, generated code, what was not fused. Enter on a line of generated code goes to the
/// operators that it computes.
class GraphsPage final : public Page {
  Q_OBJECT
 public:
  explicit GraphsPage(Selection* selection, QWidget* parent = nullptr);

  void open(const std::shared_ptr<const Recording>& recording) override;

 private:
  struct Made {
    std::shared_ptr<const Recording> recording;  ///< whose texts the views point into
    GraphViews views;
  };

  void show(const Made& made);
  void fail(const QString& error);
  void showNode(size_t node);
  void showOperators(int line);
  size_t graphOf(size_t node) const;

  Selection* selection_;
  Made made_;
  CellTree* tree_;
  CellTreeView* treeView_ = nullptr;
  GraphPanel* panel_ = nullptr;
  EmptyNote* empty_ = nullptr;
  PageJob<Made> job_;
  PageJob<Sheet> guards_;  ///< of the chosen entry
};

}  // namespace jitscope::gui
