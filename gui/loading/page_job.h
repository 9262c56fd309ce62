#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <QString>
#include <QtConcurrent>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>

namespace jitscope::gui {

/// Makes on a worker what a page shows, and hands it over on the GUI thread. The newest request
/// wins: older ones are asked to stop, and their results are dropped. Owned by the page, on the GUI
/// thread.
template <class Result>
class PageJob {
 public:
  using Make = std::function<Result(const std::stop_token&)>;

  /// `show` gets each result that is still wanted; where making it threw, `fail` gets the reason as
  /// a sentence.
  PageJob(std::function<void(const Result&)> show, std::function<void(const QString&)> fail) {
    QObject::connect(&watcher_, &QFutureWatcher<Outcome>::finished, &watcher_,
                     [this, show = std::move(show), fail = std::move(fail)] {
                       if (watcher_.isCanceled()) return;
                       isAwaited_ = false;
                       const Outcome outcome = watcher_.result();
                       if (outcome.result) return show(*outcome.result);
                       fail(outcome.error);
                     });
  }
  /// Asks what is being made to stop; does not wait for it.
  ~PageJob() { stop(); }
  Q_DISABLE_COPY_MOVE(PageJob)

  /// Begins `make` on a worker; what it uses it has to keep alive itself.
  void start(Make make) {
    stop();
    stop_ = std::stop_source();
    isAwaited_ = true;
    watcher_.setFuture(
        QtConcurrent::run([make = std::move(make), token = stop_.get_token()]() -> Outcome {
          try {
            return {make(token), {}};
          } catch (const std::exception& error) {
            return {std::nullopt, QString("This cannot be shown: %1.").arg(error.what())};
          }
        }));
  }

  /// Asks what is being made to stop early; its result is shown all the same.
  void stop() { stop_.request_stop(); }

  /// Forgets what was asked for: nothing of it is shown any more.
  void drop() {
    stop();
    isAwaited_ = false;
    watcher_.setFuture({});
  }

  /// Whether a result is on its way.
  bool isAwaited() const { return isAwaited_; }

 private:
  struct Outcome {
    std::optional<Result> result;
    QString error;
  };

  QFutureWatcher<Outcome> watcher_;
  std::stop_source stop_;
  bool isAwaited_ = false;
};

}  // namespace jitscope::gui
