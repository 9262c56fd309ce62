#pragma once

#include <QLabel>
#include <QMainWindow>
#include <QStackedWidget>

#include "gui/loading/trace_loader.h"
#include "gui/models/finding_list.h"
#include "gui/selection.h"

namespace jitscope::gui {

class DetailPanel;
class Page;
class SideBar;
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

  /// Brings up a page of `pageList()` and gives it the keys.
  void showPage(size_t page);

  TraceLoader& loader() { return loader_; }
  Selection& selection() { return selection_; }
  const FindingList& findings() const { return findings_; }

 protected:
  void resizeEvent(QResizeEvent* event) override;
  /// A file or folder that is dropped on the window is opened.
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  QWidget* makeTop();
  void makePages();
  void makeShortcuts(QWidget* center);
  QWidget* makeStatus();
  void followLoader();
  void followSelection();
  void showPick();
  void showFinding(size_t row);
  void showStatus();
  /// As `showPage`, but the keys stay where they are.
  void bringUp(size_t page);
  size_t timelinesPage() const;
  Page* page(int index) const;

  Selection selection_;
  TraceLoader loader_;
  FindingList findings_;
  SideBar* side_ = nullptr;
  QStackedWidget* pages_ = nullptr;  ///< in the order of `pageList()`
  TimelinesPage* timelines_ = nullptr;
  DetailPanel* detail_ = nullptr;
  struct Labels {
    QLabel* recording = nullptr;
    QLabel* losses = nullptr;
    QLabel* position = nullptr;
    QLabel* hint = nullptr;
  } labels_;
};

}  // namespace jitscope::gui
