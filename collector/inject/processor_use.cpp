#include "collector/inject/processor_use.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>

#include "trace/clock.h"
#include "trace/process_counters.h"

namespace jitscope::collector {
namespace {

constexpr const char* kThreads = "/proc/self/task";

void addThread(long thread, ProcessorUse& use) {
  char path[64];
  std::snprintf(path, sizeof path, "%s/%ld/schedstat", kThreads, thread);
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;  // it has just ended
  char text[96] = "";
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  int64_t runningNs = 0, waitingNs = 0;
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion): the kernel wrote them.
  if (length <= 0 || std::sscanf(text, "%" SCNd64 " %" SCNd64, &runningNs, &waitingNs) != 2) return;
  use.runningNs += runningNs;
  use.waitingNs += waitingNs;
}

}  // namespace

ProcessorUse currentProcessorUse() noexcept {
  ProcessorUse use;
  DIR* threads = opendir(kThreads);
  if (!threads) return use;
  while (const dirent* entry = readdir(threads)) {
    const long thread = std::strtol(entry->d_name, nullptr, 10);
    if (thread > 0) addThread(thread, use);
  }
  closedir(threads);
  use.timeNs = trace::nowNs();
  return use;
}

void reportProcessorUse(trace::EventSink& sink, const ProcessorUse& since) noexcept {
  const ProcessorUse now = currentProcessorUse();
  if (since.timeNs == 0 || now.runningNs == 0) return;
  const auto report = [&](const char* metric, int64_t valueNs) {
    // Threads that have ended since took what they had with them.
    trace::emit(sink,
                trace::CounterRow{.startNs = since.timeNs,
                                  .endNs = now.timeNs,
                                  .device = trace::kNoDevice,
                                  .metric = sink.intern(metric),
                                  .value = static_cast<double>(std::max<int64_t>(0, valueNs))});
  };
  report(trace::kRunningMetric, now.runningNs - since.runningNs);
  report(trace::kWaitingMetric, now.waitingNs - since.waitingNs);
}

}  // namespace jitscope::collector
