#pragma once

#include <QLabel>
#include <QMainWindow>

#include "gui/loading/trace_loader.h"
#include "gui/models/finding_list.h"
#include "gui/selection.h"

namespace jitscope::gui {

class DetailPanel;
class FindingListView;
class TimelinesPage;

/// The window: composition only. Loader, selection, pages and panels know nothing of each other;
/// here they are joined.
class MainWindow final : public QMainWindow {
  Q_OBJECT
 public:
  explicit MainWindow(QWidget* parent = nullptr);
  ~MainWindow() override;
  Q_DISABLE_COPY_MOVE(MainWindow)

  /// Begins to load; the last good recording stays on screen when it fails.
  void open(const std::filesystem::path& path);

  TraceLoader& loader() { return loader_; }
  Selection& selection() { return selection_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QWidget* makeTop();
  QWidget* makeLeft();
  QWidget* makeStatus();
  void followLoader();
  void followSelection();
  void showPick();
  void showFinding(int row);
  void showStatus();

  Selection selection_;
  TraceLoader loader_;
  FindingList findings_;
  QWidget* left_ = nullptr;
  TimelinesPage* page_ = nullptr;
  FindingListView* findingView_ = nullptr;
  DetailPanel* detail_ = nullptr;
  struct Labels {
    QLabel* recording = nullptr;
    QLabel* losses = nullptr;
    QLabel* position = nullptr;
    QLabel* hint = nullptr;
  } labels_;
};

}  // namespace jitscope::gui
