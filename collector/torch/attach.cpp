// The library's face: see collector/torch_observer.h.
#include <torch/headeronly/version.h>

#include <cstdio>
#include <exception>
#include <memory>

#include "collector/torch/observer.h"
#include "collector/torch_observer.h"
#include "trace/sink_client.h"

// Weak: versions before 2.7 do not have it.
// NOLINTNEXTLINE(readability-identifier-naming): the name is LibTorch's
extern "C" __attribute__((weak)) uint64_t aoti_torch_abi_version();

namespace {

namespace collector = jitscope::collector;
namespace trace = jitscope::trace;

trace::EventSink* target = nullptr;
char problem[256];

// The parts of LibTorch that this library was compiled into (layouts of tensors and of the
// recorder) change from one minor version to the next without any symbol that would be missing.
bool isVersionRight() {
  constexpr uint64_t kWanted = uint64_t{TORCH_VERSION_MAJOR} << 8 | TORCH_VERSION_MINOR;
  if (!aoti_torch_abi_version) {
    std::snprintf(problem, sizeof problem,
                  "jitscope was built for LibTorch " TORCH_VERSION
                  ", this program runs one that does not tell its version");
    return false;
  }
  const uint64_t found = aoti_torch_abi_version() >> 48;
  if (found == kWanted) return true;
  std::snprintf(problem, sizeof problem,
                "jitscope was built for LibTorch " TORCH_VERSION
                ", this program runs %u.%u; build jitscope for that version",
                static_cast<unsigned>(found >> 8), static_cast<unsigned>(found & 0xFF));
  return false;
}

}  // namespace

#define JITSCOPE_EXPORTED extern "C" __attribute__((visibility("default")))

JITSCOPE_EXPORTED const char* jitscope_torch_attach_v1(const JitscopeSink* sink) {
  try {
    if (!isVersionRight()) return problem;
    target = trace::sinkOver(*sink).release();  // operators may run until the process ends
    collector::observeOperators(*target);
    return nullptr;
  } catch (const std::exception& failure) {
    std::snprintf(problem, sizeof problem, "LibTorch refused the observer: %.200s", failure.what());
    return problem;
  }
}

JITSCOPE_EXPORTED void jitscope_torch_finish_v1() {
  try {
    if (target) collector::reportOperatorCounts(*target);
  } catch (const std::exception&) {
    // No memory for the last words.
  }
}
