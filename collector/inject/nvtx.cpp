// What NVTX, which a program brings as headers of version 3, calls when the program marks its first
// range: NVTX_INJECTION64_PATH names this library, which it finds loaded already. Its tables of
// functions are plain C, and stable; they are told of here in our own words, so that nothing of
// NVIDIA's is needed to build this.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "collector/inject/cancellation_off.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/session.h"
#include "collector/inject/windows.h"
#include "collector/windows/named_ranges.h"
#include "trace/clock.h"

namespace jitscope::collector {
namespace {

// What is asked of NVTX.
using Function = void (*)();
struct Callbacks {
  size_t sizeBytes;
  /// Gives the functions of a module, each by the address of its pointer; 0 when there are none.
  int (*functionsOf)(int module, Function*** functions, unsigned* count);
};
using ExportTable = const void* (*)(uint32_t table);
constexpr uint32_t kCallbacksTable = 1;
constexpr int kCoreModule = 1, kDomainsModule = 5;

// Where the functions stand in their modules.
struct Core {
  enum : unsigned { kStartEx = 4, kStart, kStartWide, kEnd, kPushEx, kPush, kPushWide, kPop };
};
struct Domains {
  enum : unsigned { kStartEx = 2, kEnd, kPushEx, kPop };
  enum : unsigned { kRegister = 10, kRegisterWide, kCreate, kCreateWide };
};

/// The beginning of a range's attributes, up to its name.
struct Attributes {
  uint16_t version, sizeBytes;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved;
  uint64_t payload;
  int32_t nameType;
  const void* name;
};
struct NameType {
  enum : int32_t { kNarrow = 1, kWide = 2, kRegistered = 3 };
};

// A program without a tool gets this of every push and pop, and no id of a range.
constexpr int kUntracked = -2;
constexpr uint64_t kNoRange = 0;

constexpr char kWantedText = 'w', kOtherText = 'o';  // stand for all registered texts
constinit thread_local PushedRanges pushed;
constinit OpenRanges openRanges;
constinit std::atomic<uint64_t> latestRange{kNoRange}, latestDomain{0};

void turn(bool isOpen) {
  const int64_t nowNs = trace::nowNs();
  isOpen ? windowGate().start(nowNs, WindowCause::kNvtx)
         : windowGate().stop(nowNs, WindowCause::kNvtx);
}

template <class Text>
bool isWanted(const Text* text) {
  return isNamed(windowGate().awaitedRange(), text);
}

bool isWantedBy(const Attributes* attributes) {
  if (!attributes || attributes->sizeBytes < sizeof(Attributes)) return false;
  switch (attributes->nameType) {
    case NameType::kNarrow:
      return isWanted(static_cast<const char*>(attributes->name));
    case NameType::kWide:
      return isWanted(static_cast<const wchar_t*>(attributes->name));
    case NameType::kRegistered:
      return attributes->name == &kWantedText;
    default:
      return false;
  }
}

int pushRange(uint64_t domain, bool isWanted) {
  const ErrnoGuard errnoGuard;
  const CancellationOff uncancelled;
  if (pushed.push(domain, isWanted)) openRanges.open(turn);
  return kUntracked;
}

int popRange(uint64_t domain) {
  const ErrnoGuard errnoGuard;
  const CancellationOff uncancelled;
  if (pushed.pop(domain)) openRanges.close(turn);
  return kUntracked;
}

// Only wanted ranges get an id.
uint64_t startRange(bool isWanted) {
  if (!isWanted) return kNoRange;
  const ErrnoGuard errnoGuard;
  const CancellationOff uncancelled;
  openRanges.open(turn);
  return latestRange.fetch_add(1) + 1;
}

void endRange(uint64_t range) {
  if (range == kNoRange) return;
  const ErrnoGuard errnoGuard;
  const CancellationOff uncancelled;
  openRanges.close(turn);
}

template <class Text>
const void* registerText(uint64_t, const Text* text) {
  return isWanted(text) ? &kWantedText : &kOtherText;
}

uint64_t createDomain() { return latestDomain.fetch_add(1) + 1; }

/// Puts functions of ours into the place of NVTX's, which do nothing.
class Module {
 public:
  Module(const Callbacks& callbacks, int module) {
    if (callbacks.functionsOf(module, &functions_, &count_) == 0) count_ = 0;
  }

  template <class Ours>
  void set(unsigned place, Ours* function) {
    if (place < count_ && functions_[place]) {
      *functions_[place] = reinterpret_cast<Function>(function);
    }
  }

 private:
  Function** functions_ = nullptr;
  unsigned count_ = 0;
};

void takeCore(Module core) {
  core.set(
      Core::kStartEx, +[](const Attributes* range) { return startRange(isWantedBy(range)); });
  core.set(
      Core::kStart, +[](const char* name) { return startRange(isWanted(name)); });
  core.set(
      Core::kStartWide, +[](const wchar_t* name) { return startRange(isWanted(name)); });
  core.set(Core::kEnd, endRange);
  core.set(
      Core::kPushEx, +[](const Attributes* range) { return pushRange(0, isWantedBy(range)); });
  core.set(
      Core::kPush, +[](const char* name) { return pushRange(0, isWanted(name)); });
  core.set(
      Core::kPushWide, +[](const wchar_t* name) { return pushRange(0, isWanted(name)); });
  core.set(
      Core::kPop, +[] { return popRange(0); });
}

void takeDomains(Module domains) {
  domains.set(
      Domains::kStartEx,
      +[](uint64_t, const Attributes* range) { return startRange(isWantedBy(range)); });
  domains.set(
      Domains::kEnd, +[](uint64_t, uint64_t range) { endRange(range); });
  domains.set(
      Domains::kPushEx, +[](uint64_t domain, const Attributes* range) {
        return pushRange(domain, isWantedBy(range));
      });
  domains.set(Domains::kPop, popRange);
  domains.set(Domains::kRegister, registerText<char>);
  domains.set(Domains::kRegisterWide, registerText<wchar_t>);
  domains.set(
      Domains::kCreate, +[](const char*) { return createDomain(); });
  domains.set(
      Domains::kCreateWide, +[](const wchar_t*) { return createDomain(); });
}

}  // namespace
}  // namespace jitscope::collector

// Comes once from each library with NVTX.
// NOLINTNEXTLINE(readability-identifier-naming): NVTX's name.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    jitscope::collector::ExportTable exportTable) {
  namespace collector = jitscope::collector;
  const bool isWaiting =
      collector::isRecording() && !collector::windowGate().awaitedRange().empty();
  const auto* const callbacks =
      exportTable && isWaiting
          ? static_cast<const collector::Callbacks*>(exportTable(collector::kCallbacksTable))
          : nullptr;
  if (!callbacks || callbacks->sizeBytes < sizeof(collector::Callbacks)) return 0;
  collector::takeCore(collector::Module(*callbacks, collector::kCoreModule));
  collector::takeDomains(collector::Module(*callbacks, collector::kDomainsModule));
  return 1;
}
