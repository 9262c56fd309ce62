#include "gui/screenshot.h"

#include <QCoreApplication>
#include <QEventLoop>
#include <QFile>
#include <QImageWriter>
#include <QPixmap>
#include <QThreadPool>

namespace jitscope::gui {

QString takeScreenshot(MainWindow& window, const QString& path, const QString& file) {
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
  if (!error.isEmpty()) return error;
  // Numbers of a large range are counted on a worker; they belong in the picture too.
  QThreadPool::globalInstance()->waitForDone();
  QCoreApplication::processEvents();
  QImageWriter writer(file, "png");
  if (!writer.write(window.grab().toImage())) {
    // The writer only says "device not writable"; the file knows why.
    QFile target(file);
    const bool canOpen = target.open(QIODevice::WriteOnly);
    return file +
           ": cannot write the picture: " + (canOpen ? writer.errorString() : target.errorString());
  }
  return {};
}

}  // namespace jitscope::gui
