#pragma once

#include <QJsonObject>
#include <QString>

namespace jitscope::gui {

/// What `jitscope report PATH --format json` says: every number of the window must agree with it.
QJsonObject commandLineReport(const QString& path);

}  // namespace jitscope::gui
