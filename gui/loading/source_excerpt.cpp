#include "gui/loading/source_excerpt.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

namespace jitscope::gui {
namespace {

constexpr int64_t kAround = 3;
constexpr qint64 kMostBytes = 4'000'000;  ///< of a file that is source code
constexpr int64_t kMostCharacters = 200;  ///< of a line
constexpr int64_t kNsPerMs = 1'000'000;

}  // namespace

DetailSection sourceExcerpt(const std::string& file, int64_t line, int64_t recordedNs) {
  DetailSection section;
  const QFileInfo info(QString::fromStdString(file));
  // A recording may name anything: devices and pipes are not opened.
  if (line <= 0 || !info.isAbsolute() || !info.isFile() || info.size() > kMostBytes) return section;
  QFile source(info.filePath());
  if (!source.open(QIODevice::ReadOnly)) return section;
  const QStringList lines = QString::fromUtf8(source.readAll()).split('\n');
  if (line > lines.size()) return section;
  section.heading = "source";
  const int64_t first = std::max<int64_t>(1, line - kAround);
  const int64_t last = std::min<int64_t>(lines.size(), line + kAround);
  const auto digits = static_cast<int>(QString::number(last).size());
  for (int64_t number = first; number <= last; ++number) {
    QString text = lines[static_cast<qsizetype>(number - 1)].left(kMostCharacters);
    text.replace('\t', "    ").remove('\r');
    section.code
        << QString("%1 %2  %3").arg(number == line ? "›" : " ").arg(number, digits).arg(text);
  }
  if (info.lastModified().toMSecsSinceEpoch() > recordedNs / kNsPerMs) {
    section.prose = "The file has changed since the recording; lines may have moved.";
  }
  return section;
}

}  // namespace jitscope::gui
