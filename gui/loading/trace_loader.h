#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <filesystem>
#include <memory>
#include <variant>

#include "gui/loading/recording.h"
#include "gui/models/timeline.h"

namespace jitscope::gui {

/// Loads recordings on a worker thread and tells the window: one signal for each result. Lives on
/// the GUI thread, where all its signals arrive.
class TraceLoader final : public QObject {
  Q_OBJECT
 public:
  explicit TraceLoader(QObject* parent = nullptr);
  /// Cancels, and waits for the worker.
  ~TraceLoader() override;
  Q_DISABLE_COPY_MOVE(TraceLoader)

  /// Begins to load a trace file or a folder of them. What was being loaded is given up.
  void load(const std::filesystem::path& path);

  /// Gives up what is being loaded; no result of it arrives after this.
  void cancel();
  bool isLoading() const;

 signals:
  /// How far loading is, in percent, and what it does.
  void progressed(int percent, const QString& what);
  void timelineAvailable(std::shared_ptr<const jitscope::gui::Timeline> timeline);
  void recordingAvailable(std::shared_ptr<const jitscope::gui::Recording> recording);
  /// Nothing could be loaded; `text` is one line.
  void failed(const QString& text);
  /// All results of a recording have arrived.
  void finished();

 private:
  using LoadResult =
      std::variant<std::shared_ptr<const Timeline>, std::shared_ptr<const Recording>, QString>;
  static void work(QPromise<LoadResult>& promise, const std::filesystem::path& path);
  void deliver(int index);

  QFutureWatcher<LoadResult> watcher_;
};

}  // namespace jitscope::gui
