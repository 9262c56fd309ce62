// What the driver calls from within cuInit: CUDA_INJECTION64_PATH names this library, which it
// finds loaded already. Here and not later, since much of CUPTI has to be enabled before CUDA is
// there.
#include "collector/inject/cuda_start.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>

#include "collector/cupti_tracer.h"
#include "collector/environment.h"
#include "collector/inject/cancellation_off.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/own_folder.h"
#include "collector/inject/session.h"
#include "collector/inject/sink_symbol.h"
#include "collector/inject/windows.h"
#include "trace/clock.h"

namespace jitscope::collector {
namespace {

constinit std::atomic<CuptiQuiet> quiet{nullptr};

void reportLoss(const std::string& why) {
  trace::emit(session(), trace::LossRow{.timeNs = trace::nowNs(),
                                        .kind = trace::LossKind::kDropped,
                                        .place = session().intern("GPU"),
                                        .text = session().intern(kUnrecordedText + why)});
}

bool isSet(const char* variable, std::string_view value) {
  const char* found = std::getenv(variable);
  return found && found == value;
}

void followProfiler(int isOn) {
  const ErrnoGuard errnoGuard;
  if (isOn) {
    windowGate().start(trace::nowNs(), WindowCause::kCuda);
  } else {
    windowGate().stop(trace::nowNs(), WindowCause::kCuda);
  }
}

int isWindowed() { return windowGate().isUsed() ? 1 : 0; }

void writeLaunched(uint32_t table, const int64_t* cells, uint32_t count, int64_t startNs,
                   int64_t endNs) {
  session().write(static_cast<trace::TableId>(table), {cells, count}, {startNs, endNs});
}

CuptiTraffic wantedTraffic() {
  if (isSet(kTrafficVariable, "exact")) return CuptiTraffic::kExact;
  return isSet(kTrafficVariable, "sampled") ? CuptiTraffic::kSampled : CuptiTraffic::kOff;
}

CuptiWishes wishes() {
  return {.wantsGraphNodes = !isSet(kGraphLevelVariable, "graph"),
          .traffic = wantedTraffic(),
          .onProfiler = windowGate().followsProfiler() ? followProfiler : nullptr,
          .isWindowed = isWindowed,
          .writeLaunched = writeLaunched};
}

void startTracer() {
  const std::string path = ownFolder() + '/' + kCuptiLibrary;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return reportLoss(why ? why : "no reason given");
  }
  const auto attach = reinterpret_cast<CuptiAttach>(dlsym(library, kCuptiAttachSymbol));
  const auto stop = reinterpret_cast<CuptiQuiet>(dlsym(library, kCuptiQuietSymbol));
  const auto finish = reinterpret_cast<CuptiFinish>(dlsym(library, kCuptiFinishSymbol));
  if (!attach || !stop || !finish) return reportLoss(path + " is of another version");
  const CuptiWishes wanted = wishes();
  if (const char* problem = attach(jitscope_sink_v1(), &wanted)) return reportLoss(problem);
  atEndOfSession(finish);
  quiet = stop;
}

}  // namespace

void quietGpu() noexcept {
  const ErrnoGuard errnoGuard;
  const CancellationOff uncancelled;
  if (const CuptiQuiet stop = quiet) stop();
}

}  // namespace jitscope::collector

// NOLINTNEXTLINE(readability-identifier-naming): the driver's name.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  static constinit std::atomic<bool> isDone{false};
  const jitscope::collector::ErrnoGuard errnoGuard;
  const jitscope::collector::CancellationOff uncancelled;
  try {
    if (jitscope::collector::isRecording() && !isDone.exchange(true)) {
      jitscope::collector::startTracer();
    }
  } catch (const std::exception&) {
    // No memory: the program runs on without its kernels being recorded.
  }
  return 1;  // all is well, as far as the driver is concerned
}
