#pragma once

#include <QScrollArea>
#include <optional>

#include "gui/models/detail.h"

namespace jitscope::gui {

/// Shows one Detail: title, fields, bars, prose, code. Scrolls when it is long; the keyboard
/// scrolls it when it has the focus.
class DetailPanel final : public QScrollArea {
  Q_OBJECT
 public:
  explicit DetailPanel(QWidget* parent = nullptr);

  /// Nothing selected: shows what to do.
  void show(std::optional<Detail> detail);
  const std::optional<Detail>& detail() const;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  class Page;
  Page* page_;
};

}  // namespace jitscope::gui
