#pragma once

#include <QString>

class QWidget;

namespace jitscope::gui {

/// `content` under a title on the surface of tables; the remark stands beside the title, dimmed.
QWidget* titled(const QString& title, const QString& remark, QWidget* content);

}  // namespace jitscope::gui
