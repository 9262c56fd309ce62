#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrent>
#include <functional>

namespace jitscope::gui {

/// Makes on a worker what a page shows, and hands it over on the GUI thread. The newest request
/// wins: results of older ones are dropped. Owned by the page, on the GUI thread.
template <class Result>
class PageJob {
 public:
  /// `show` gets each result that is still wanted.
  explicit PageJob(std::function<void(const Result&)> show) {
    QObject::connect(&watcher_, &QFutureWatcher<Result>::finished, &watcher_,
                     [this, show = std::move(show)] { show(watcher_.result()); });
  }

  /// Begins `make` on a worker; what it uses it has to keep alive itself.
  void start(std::function<Result()> make) {
    watcher_.setFuture(QtConcurrent::run(std::move(make)));
  }

 private:
  QFutureWatcher<Result> watcher_;
};

}  // namespace jitscope::gui
