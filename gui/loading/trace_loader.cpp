#include "gui/loading/trace_loader.h"

#include <QtConcurrent>
#include <exception>

#include "analyzer/analysis.h"
#include "gui/loading/finding_views.h"
#include "gui/loading/timeline_builder.h"

namespace jitscope::gui {
namespace {

std::shared_ptr<const Recording> diagnosed(const std::shared_ptr<const analyzer::Run>& run) {
  auto recording = std::make_shared<Recording>();
  recording->run = run;
  recording->analysis = analyzer::analyze(*run);
  recording->findings = findingViews(*run, recording->analysis);
  return recording;
}

}  // namespace

TraceLoader::TraceLoader(QObject* parent) : QObject(parent) {
  using Watcher = QFutureWatcher<LoadResult>;
  connect(&watcher_, &Watcher::resultReadyAt, this, &TraceLoader::deliver);
  connect(&watcher_, &Watcher::progressTextChanged, this,
          [this](const QString& text) { Q_EMIT progressed(watcher_.progressValue(), text); });
  connect(&watcher_, &Watcher::finished, this, [this] {
    if (watcher_.isCanceled()) return;
    const bool hasFailed = watcher_.future().resultCount() > 0 &&
                           std::holds_alternative<QString>(watcher_.future().resultAt(0));
    if (!hasFailed) Q_EMIT finished();
  });
}

TraceLoader::~TraceLoader() {
  watcher_.cancel();
  watcher_.waitForFinished();
}

void TraceLoader::load(const std::filesystem::path& path) {
  cancel();
  watcher_.setFuture(QtConcurrent::run(&TraceLoader::work, path));
}

void TraceLoader::cancel() { watcher_.cancel(); }

bool TraceLoader::isLoading() const { return watcher_.isRunning() && !watcher_.isCanceled(); }

void TraceLoader::work(QPromise<LoadResult>& promise, const std::filesystem::path& path) {
  promise.setProgressRange(0, 100);
  const auto proceed = [&promise](int percent, const QString& what) {
    promise.setProgressValueAndText(percent, what);
    return !promise.isCanceled();
  };
  try {
    if (!proceed(1, "reading")) return;
    auto loaded = analyzer::loadRun(path);
    if (!loaded) {
      promise.addResult(QString::fromStdString(loaded.error().text));
      return;
    }
    const auto run = std::make_shared<const analyzer::Run>(std::move(*loaded));
    if (!proceed(40, "diagnosing")) return;
    promise.addResult(diagnosed(run));
    if (!proceed(50, "building timelines")) return;
    const auto timeline = buildTimeline(
        run, [&](int percent) { return proceed(50 + percent / 2, "building timelines"); });
    if (timeline) promise.addResult(timeline);
  } catch (const std::exception& error) {
    promise.addResult(QString::fromStdString(path.string() + ": " + error.what()));
  }
}

void TraceLoader::deliver(int index) {
  if (watcher_.isCanceled()) return;
  const LoadResult result = watcher_.resultAt(index);
  if (const auto* timeline = std::get_if<std::shared_ptr<const Timeline>>(&result)) {
    Q_EMIT timelineAvailable(*timeline);
  } else if (const auto* recording = std::get_if<std::shared_ptr<const Recording>>(&result)) {
    Q_EMIT recordingAvailable(*recording);
  } else {
    Q_EMIT failed(std::get<QString>(result));
  }
}

}  // namespace jitscope::gui
