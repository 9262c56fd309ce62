#pragma once

#include <QFutureWatcher>
#include <QObject>
#include <atomic>
#include <memory>
#include <optional>

#include "gui/models/range_statistics.h"

namespace jitscope::gui {

/// Counts ranges: small ones at once, large ones on a worker, so that the window never waits. The
/// newest request wins; a running count is stopped by the next one.
class RangeJob final : public QObject {
  Q_OBJECT
 public:
  explicit RangeJob(QObject* parent = nullptr);
  ~RangeJob() override;
  Q_DISABLE_COPY_MOVE(RangeJob)

  /// Asks for the statistics of `wanted.range`.
  void request(std::shared_ptr<const Timeline> timeline, RangeStatistics wanted);

 signals:
  void ready(std::shared_ptr<const jitscope::gui::Timeline> timeline,
             jitscope::gui::RangeStatistics statistics);

 private:
  void start();

  struct Request {
    std::shared_ptr<const Timeline> timeline;
    RangeStatistics wanted;
  };
  std::optional<Request> next_;
  std::shared_ptr<const Timeline> counting_;
  std::atomic<bool> stop_{false};
  QFutureWatcher<RangeStatistics> watcher_;
};

}  // namespace jitscope::gui
