#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

class QAbstractButton;
class QAbstractItemModel;

namespace jitscope::gui {

class FindingListView;

/// The left edge of the window: the names of the pages, and below them what was found.
class SideBar final : public QWidget {
  Q_OBJECT
 public:
  SideBar(const QStringList& pages, QAbstractItemModel* findings, QWidget* parent = nullptr);

  /// Marks the page that shows.
  void setPage(size_t page);
  FindingListView* findings() const { return findings_; }

 signals:
  void pageChosen(size_t page);

 private:
  std::vector<QAbstractButton*> buttons_;
  FindingListView* findings_ = nullptr;
};

}  // namespace jitscope::gui
