#include "gui/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace jitscope::gui {
namespace {

constexpr qsizetype kMostFiles = 10;
constexpr const char* kKey = "recent";
constexpr const char* kOrganization = "jitscope";
constexpr const char* kProgram = "jitscope-gui";

}  // namespace

QStringList RecentFiles::list() {
  QStringList present;
  for (const QString& path : QSettings(kOrganization, kProgram).value(kKey).toStringList()) {
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
  QSettings(kOrganization, kProgram).setValue(kKey, QStringList(paths.mid(0, kMostFiles)));
}

}  // namespace jitscope::gui
