#include "gui/screenshot.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QEventLoop>
#include <QImageWriter>
#include <QPixmap>
#include <QThreadPool>
#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <string_view>

namespace jitscope::gui {
namespace {

constexpr int kMostPx = 16'384;  ///< of a side: a gigabyte at four bytes a pixel

/// Whether `file` holds something that is no picture: a recording, say, named by a slip.
bool isForeign(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  std::array<char, 4> start{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), start.size());
  return stream.gcount() > 0 && std::string_view(start.data(), start.size()) != "\x89PNG";
}

/// Loads, and waits until all numbers have arrived; gives the error.
QString loadInto(MainWindow& window, const std::filesystem::path& path) {
  QString error;
  QEventLoop loop;
  QObject::connect(&window.loader(), &TraceLoader::failed, &loop, [&](const QString& text) {
    error = text;
    loop.quit();
  });
  QObject::connect(&window.loader(), &TraceLoader::finished, &loop, &QEventLoop::quit);
  window.show();
  window.open(path);
  loop.exec();
  settlePages();
  return error;
}

/// Gives the reason why it could not.
QString write(const QByteArray& bytes, const std::filesystem::path& file) {
  errno = 0;
  std::ofstream stream(file, std::ios::binary);
  if (!stream) return qt_error_string(errno);
  stream.write(bytes.constData(), bytes.size());
  stream.close();
  if (stream) return {};
  QString reason = qt_error_string(errno);
  std::error_code ignored;
  // Half a picture is of no use; a device stays.
  if (std::filesystem::is_regular_file(file, ignored)) std::filesystem::remove(file, ignored);
  return reason;
}

/// Gives the reason why there is no picture.
QString draw(MainWindow& window, const std::filesystem::path& file) {
  const QSize size = window.size() * window.devicePixelRatioF();
  if (std::max(size.width(), size.height()) > kMostPx) {
    return QString("%1x%2 pixels are more than %3 a side")
        .arg(size.width())
        .arg(size.height())
        .arg(kMostPx);
  }
  QBuffer picture;
  QImageWriter writer(&picture, "png");
  if (!writer.write(window.grab().toImage())) return writer.errorString();
  return write(picture.data(), file);
}

}  // namespace

void settlePages() {
  // What pages show is made on workers, and what was asked for meanwhile, too: a result may ask for
  // another, whose worker may have ended before it is looked at.
  constexpr int kRoundsAtRest = 3;
  for (int atRest = 0; atRest < kRoundsAtRest; ++atRest) {
    if (QThreadPool::globalInstance()->activeThreadCount() > 0) atRest = 0;
    QThreadPool::globalInstance()->waitForDone();
    QCoreApplication::processEvents();
  }
}

QString takeScreenshot(MainWindow& window, const std::filesystem::path& path,
                       const std::filesystem::path& file, const std::function<QString()>& prepare) {
  const QString name = QString::fromStdString(file.string());
  if (isForeign(file)) return name + ": holds something that is no PNG picture; give another name";
  QString error = loadInto(window, path);
  if (error.isEmpty() && prepare) {
    error = prepare();
    settlePages();
  }
  if (!error.isEmpty()) return error;
  const QString reason = draw(window, file);
  return reason.isEmpty() ? QString() : name + ": cannot write the picture: " + reason;
}

}  // namespace jitscope::gui
