#include "gui/loading/range_job.h"

#include <QtConcurrent>
#include <exception>

namespace jitscope::gui {
namespace {

/// About two milliseconds of counting.
constexpr size_t kEventsAtOnce = 100'000;

}  // namespace

RangeJob::RangeJob(QObject* parent) : QObject(parent) {
  connect(&watcher_, &QFutureWatcher<RangeStatistics>::finished, this, [this] {
    if (next_) return start();
    Q_EMIT ready(std::exchange(counting_, nullptr), watcher_.result());
  });
}

RangeJob::~RangeJob() {
  stop_ = true;
  watcher_.waitForFinished();
}

void RangeJob::request(std::shared_ptr<const Timeline> timeline, RangeStatistics wanted) {
  // A count that has ended, but whose result is still on its way, would overwrite this one.
  if (!counting_ && rangeCost(*timeline, wanted) <= kEventsAtOnce) {
    Q_EMIT ready(timeline, rangeStatistics(*timeline, wanted));
    return;
  }
  next_ = Request{std::move(timeline), std::move(wanted)};
  stop_ = true;
  if (!counting_) start();
}

void RangeJob::start() {
  Request request = *std::exchange(next_, std::nullopt);
  counting_ = request.timeline;
  stop_ = false;
  watcher_.setFuture(QtConcurrent::run([this, request = std::move(request)] {
    try {
      return rangeStatistics(*request.timeline, request.wanted, &stop_);
    } catch (const std::exception&) {
      return request.wanted;  // no numbers, but the window lives
    }
  }));
}

}  // namespace jitscope::gui
