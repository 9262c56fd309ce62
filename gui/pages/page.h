#pragma once

#include <QWidget>
#include <memory>

#include "gui/loading/recording.h"

namespace jitscope::gui {

/// A page of the window: shows the opened recording from one side. Pages know of each other only
/// the Selection that they share. The widget that takes the keys is the page's focus proxy.
class Page : public QWidget {
  Q_OBJECT
 public:
  using QWidget::QWidget;

  /// Shows another recording. Comes on the GUI thread, to pages out of sight too: what takes more
  /// than a moment belongs on a worker (`PageJob`).
  virtual void open(const std::shared_ptr<const Recording>& recording) = 0;

 protected:
  /// From now on `widget` takes the keys of the page; at once where the page has them. To be called
  /// before what took them hides, or they leave the page; a QStackedLayout keeps them in the page.
  void giveKeysTo(QWidget* widget);
};

}  // namespace jitscope::gui
