#include "gui/recent_files.h"

#include <QFileInfo>

#include "gui/settings.h"

namespace jitscope::gui {
namespace {

constexpr qsizetype kMostFiles = 10;
constexpr const char* kKey = "recent";

}  // namespace

QStringList RecentFiles::list() {
  QStringList present;
  for (const QString& path : userSettings().value(kKey).toStringList()) {
    if (QFileInfo::exists(path)) present << path;
  }
  return present;
}

void RecentFiles::add(const std::filesystem::path& path) {
  const QString text = QFileInfo(QString::fromStdString(path.string())).absoluteFilePath();
  if (text.contains(QChar::ReplacementCharacter)) return;
  QStringList paths = list();
  paths.removeAll(text);
  paths.prepend(text);
  userSettings().setValue(kKey, QStringList(paths.mid(0, kMostFiles)));
}

}  // namespace jitscope::gui
