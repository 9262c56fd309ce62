#pragma once

#include <QFrame>
#include <QPointer>
#include <vector>

#include "gui/models/command_list.h"

class QLineEdit;
class QListView;

namespace jitscope::gui {

/// A line to type into and below it the commands that match: Enter runs the chosen one, Esc closes.
/// Hidden until it is opened.
class CommandPalette final : public QFrame {
  Q_OBJECT
 public:
  explicit CommandPalette(QWidget* parent);

  void open(std::vector<Command> commands);
  /// Hides it, and gives the keys back to where they were.
  void dismiss();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void place();
  void run(const QModelIndex& index);

  CommandList commands_;
  QLineEdit* pattern_;
  QListView* list_;
  QPointer<QWidget> focusBefore_;
};

}  // namespace jitscope::gui
