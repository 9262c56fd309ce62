// The library's face: see collector/torch_observer.h.
#include <dlfcn.h>
#include <torch/headeronly/version.h>

#include <cstdio>
#include <exception>
#include <memory>

#include "collector/torch/compiled_calls.h"
#include "collector/torch/observer.h"
#include "collector/torch/operator_thread.h"
#include "collector/torch_observer.h"
#include "trace/clock.h"
#include "trace/sink_client.h"

namespace {

namespace collector = jitscope::collector;
namespace trace = jitscope::trace;

trace::EventSink* target = nullptr;
char problem[256];

struct Version {
  unsigned major = 0, minor = 0;
  bool operator==(const Version&) const = default;
};

constexpr Version kBuiltFor{TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR};

// What the library says of itself, else what its package says.
Version versionOf(const char* stated) {
  Version version;
  // Versions before 2.7 do not have it. Not a weak symbol: not every linker leaves it weak.
  using AbiVersion = uint64_t();
  const auto abiVersion =
      reinterpret_cast<AbiVersion*>(dlsym(RTLD_DEFAULT, "aoti_torch_abi_version"));
  if (abiVersion) {
    const uint64_t coded = abiVersion();
    return {static_cast<unsigned>(coded >> 56), static_cast<unsigned>(coded >> 48 & 0xFF)};
  }
  // What cannot be read stays 0.0, which is no version.
  // NOLINTNEXTLINE(bugprone-unchecked-string-to-number-conversion)
  std::sscanf(stated, "%u.%u", &version.major, &version.minor);
  return version;
}

// The parts of LibTorch that this library was compiled into (layouts of tensors and of the
// recorder) change from one minor version to the next without any symbol that would be missing.
// Only the operators' names and times are the same from 2.6 to 2.15: tried with both and 2.11.
bool hasSameNames(Version version) {
  return version.major == 2 && version.minor >= 6 && version.minor <= 15;
}

void refuse(Version found) {
  if (found == Version{}) {
    std::snprintf(problem, sizeof problem,
                  "jitscope was built for LibTorch " TORCH_VERSION
                  ", this program runs one that does not tell its version");
    return;
  }
  std::snprintf(problem, sizeof problem,
                "jitscope was built for LibTorch " TORCH_VERSION
                ", this program runs %u.%u; build jitscope for that version",
                found.major, found.minor);
}

void tellWhatIsMissing(Version found) {
  char text[256];
  std::snprintf(
      text, sizeof text,
      "shapes and sequence numbers are not recorded: jitscope was built for LibTorch " TORCH_VERSION
      ", this program runs %u.%u",
      found.major, found.minor);
  trace::emit(*target, trace::LossRow{.timeNs = trace::nowNs(),
                                      .kind = trace::LossKind::kDropped,
                                      .place = target->intern("operators"),
                                      .text = target->intern(text)});
}

}  // namespace

#define JITSCOPE_EXPORTED extern "C" __attribute__((visibility("default")))

JITSCOPE_EXPORTED const char* jitscope_torch_attach_v2(const JitscopeSink* sink,
                                                       const char* version) {
  try {
    const Version found = versionOf(version);
    const bool isSame = found == kBuiltFor;
    if (!isSame && !hasSameNames(found)) {
      refuse(found);
      return problem;
    }
    target = trace::sinkOver(*sink).release();  // operators may run until the process ends
    if (!isSame) tellWhatIsMissing(found);
    collector::observeOperators(
        *target, isSame ? collector::Detail::kEverything : collector::Detail::kNames);
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

// What the package jitscope_hook tells of torch.compile; called with the interpreter's lock held,
// on the thread that compiles.

JITSCOPE_EXPORTED void jitscope_torch_compiling_v1() {
  if (auto* thread = collector::OperatorThread::current()) thread->calls.isCompiling = true;
}

JITSCOPE_EXPORTED void jitscope_torch_failed_v1() {
  auto* thread = collector::OperatorThread::current();
  if (!thread) return;
  thread->calls.isCompiling = false;
  thread->calls.forgetLookup();
}

JITSCOPE_EXPORTED void jitscope_torch_expect_v1(int64_t dynamoFrame, int64_t attempt,
                                                int64_t frame) {
  try {
    if (auto* thread = collector::OperatorThread::current()) thread->calls.isCompiling = false;
    collector::expectEntry(dynamoFrame, jitscope::trace::AttemptId{attempt},
                           jitscope::trace::FrameId{frame});
  } catch (const std::exception&) {
    // No memory: the calls of this entry appear as operators.
  }
}

JITSCOPE_EXPORTED void jitscope_torch_limit_v1(int64_t frame) {
  try {
    if (auto* thread = collector::OperatorThread::current()) thread->calls.isCompiling = false;
    collector::limitFrame(jitscope::trace::FrameId{frame});
  } catch (const std::exception&) {
    // No memory: eager calls of this frame are not told.
  }
}
