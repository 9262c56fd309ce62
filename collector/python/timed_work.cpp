#include "collector/python/timed_work.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "trace/clock.h"

namespace jitscope::collector {
namespace {

int64_t threadId() {
  // A forked child's only thread has inherited the variables of the one that forked it.
  static thread_local int64_t thread = 0;
  static thread_local pid_t process = 0;
  if (process != getpid()) {
    process = getpid();
    thread = syscall(SYS_gettid);
  }
  return thread;
}

/// The graph that this thread ran last: what runs between it and the graph that goes on after its
/// break is what the break costs.
struct LastGraph {
  trace::FrameId frame = trace::FrameId::kNone;
  trace::AttemptId attempt = trace::AttemptId::kNone;
  int64_t endNs = 0;
};
thread_local LastGraph lastGraph;

}  // namespace

void RegionTimer::writeBreak(int64_t startNs) {
  if (resumed_ == trace::FrameId::kNone || lastGraph.frame != resumed_) return;
  trace::emit(sink_, trace::GraphBreakRow{.frame = lastGraph.frame,
                                          .attempt = lastGraph.attempt,
                                          .after = trace::SegmentId{0},
                                          .startNs = lastGraph.endNs,
                                          .endNs = startNs,
                                          .thread = threadId()});
}

PythonObject* RegionTimer::call(const PythonApi& api, PythonObject* callable,
                                PythonObject* arguments, PythonObject* keywords) {
  const int64_t startNs = trace::nowNs();
  if (hasRun_) writeBreak(startNs);
  hasRun_ = true;
  PythonObject* result = api.call(callable, arguments, keywords);
  const int64_t endNs = trace::nowNs();
  lastGraph = {frame_, attempt_, endNs};
  trace::emit(sink_, trace::RegionRow{.frame = frame_,
                                      .attempt = attempt_,
                                      .segment = trace::SegmentId{0},
                                      .startNs = startNs,
                                      .endNs = endNs,
                                      .thread = threadId(),
                                      .graph = name_});
  return result;
}

PythonObject* KernelTimer::call(const PythonApi& api, PythonObject* callable,
                                PythonObject* arguments, PythonObject* keywords) {
  const int64_t startNs = trace::nowNs();
  PythonObject* result = api.call(callable, arguments, keywords);
  trace::emit(sink_, trace::OpRow{.startNs = startNs,
                                  .endNs = trace::nowNs(),
                                  .thread = threadId(),
                                  .depth = 1,
                                  .name = name_});
  return result;
}

PythonObject* Follower::call(const PythonApi& api, PythonObject* callable, PythonObject* arguments,
                             PythonObject* keywords) {
  PythonObject* result = api.call(callable, arguments, keywords);
  PythonObject* told = result ? api.packTuple(2, arguments, result) : nullptr;
  PythonObject* followed = told ? api.call(follower_, told, nullptr) : nullptr;
  if (told) api.release(told);
  if (result && !followed) api.clearError();
  if (!followed) return result;
  api.release(result);
  return followed;
}

}  // namespace jitscope::collector
