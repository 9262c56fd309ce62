#include "gui/loading/source_excerpt.h"

#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <algorithm>

namespace jitscope::gui {
namespace {

constexpr int64_t kAround = 3;
constexpr qint64 kMostSourceBytes = 4'000'000;  ///< of a file that is source code
constexpr int64_t kMostCharacters = 200;        ///< of a line
constexpr int64_t kNsPerMs = 1'000'000;

}  // namespace

void SourceExcerpts::read(const std::string& file) {
  if (file == file_) return;
  file_ = file;
  lines_.clear();
  const QFileInfo info(QString::fromStdString(file));
  // A recording may name anything: devices and pipes are not opened, nor what the kernel makes up
  // as it is read, which tells no size.
  if (!info.isAbsolute() || !info.isFile() || info.size() == 0 || info.size() > kMostSourceBytes)
    return;
  QFile source(info.filePath());
  if (!source.open(QIODevice::ReadOnly)) return;
  const QByteArray text = source.read(kMostSourceBytes + 1);
  if (text.isEmpty() || text.size() > kMostSourceBytes) return;
  lines_ = QString::fromUtf8(text).split('\n');
  isNewer_ = info.lastModified().toMSecsSinceEpoch() > recordedNs_ / kNsPerMs;
}

DetailSection SourceExcerpts::around(const std::string& file, int64_t line) {
  DetailSection section;
  if (line <= 0) return section;
  read(file);
  if (line > lines_.size()) return section;
  section.heading = "source";
  const int64_t first = std::max<int64_t>(1, line - kAround);
  const int64_t last = std::min<int64_t>(lines_.size(), line + kAround);
  const auto digits = static_cast<int>(QString::number(last).size());
  for (int64_t number = first; number <= last; ++number) {
    QString text = lines_[static_cast<qsizetype>(number - 1)].left(kMostCharacters);
    text.replace('\t', "    ").remove('\r');
    section.code
        << QString("%1 %2  %3").arg(number == line ? "›" : " ").arg(number, digits).arg(text);
  }
  if (isNewer_) section.prose = "The file has changed since the recording; lines may have moved.";
  return section;
}

}  // namespace jitscope::gui
