#include "compiler/source/user_stack.h"

#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <string_view>

#include "compiler/source/symbolizer.h"

namespace jitscope::compiler {
namespace {

/// Code of LibTorch: its frames lie between an operator's call and whoever records it, and would
/// only use up a stack's places.
struct CodeRange {
  uintptr_t begin = 0, end = 0;
};

int addTorchRange(dl_phdr_info* info, size_t, void* ranges) {
  const std::string_view path = info->dlpi_name ? info->dlpi_name : "";
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (!file.starts_with("libtorch") && !file.starts_with("libc10")) return 0;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    static_cast<std::vector<CodeRange>*>(ranges)->push_back({begin, begin + segment.p_memsz});
  }
  return 0;
}

bool isTorchCode(uintptr_t address) {
  static const std::vector<CodeRange> ranges = [] {
    std::vector<CodeRange> found;
    dl_iterate_phdr(addTorchRange, &found);
    return found;
  }();
  return std::any_of(ranges.begin(), ranges.end(), [&](const CodeRange& range) {
    return address >= range.begin && address < range.end;
  });
}

struct Frame {
  uintptr_t address = 0;  ///< where it goes on when its callee returns
  uintptr_t bottom = 0;   ///< its lowest place on the stack, just above that return address
  bool isTorch = false;
};

/// The frames of the thread's last stack. The next stack mostly has the same outer ones.
struct Chain {
  static constexpr size_t kMaxFrames = 96;
  std::array<Frame, kMaxFrames> frames;
  size_t size = 0;
  bool isWhole = true;  ///< false: it had more outer frames than were needed
};

/// The return address into the frame that starts at `bottom`: the x86-64 ABI puts it just below.
__attribute__((no_sanitize("address"))) uintptr_t returnAddress(uintptr_t bottom) {
  return *reinterpret_cast<const uintptr_t*>(bottom - sizeof(uintptr_t));
}

/// Whether the remembered callers of frame `first`, which is live, still are its callers: the
/// return addresses must lead from one to the next. Reads live frames only, since each step proves
/// that the next frame is still there.
bool isStillThere(const Chain& chain, size_t first) {
  for (size_t i = first + 1; i < chain.size; ++i) {
    if (returnAddress(chain.frames[i].bottom) != chain.frames[i].address) return false;
  }
  return true;
}

struct Walk {
  Chain* last = nullptr;
  size_t nextOfLast = 0;  ///< the remembered frames before it lie inside of the current frame
  std::array<Frame, Chain::kMaxFrames> frames;
  size_t size = 0;
  size_t recorded = 0;  ///< frames that are not LibTorch's
  bool isWhole = true;

  bool add(const Frame& frame) {
    frames[size++] = frame;
    recorded += frame.isTorch ? 0 : 1;
    // One more than the stack holds, since the first frame is the unwinder's caller.
    isWhole = size < Chain::kMaxFrames && recorded <= UserStack::kMaxDepth;
    return isWhole;
  }
};

#ifdef __x86_64__
constexpr bool kKnowsFrameLayout = true;
#else
constexpr bool kKnowsFrameLayout = false;
#endif

_Unwind_Reason_Code visitFrame(_Unwind_Context* context, void* state) {
  Walk& walk = *static_cast<Walk*>(state);
  // At this point libgcc's context holds the canonical frame address of the callee.
  Frame frame{_Unwind_GetIP(context), _Unwind_GetCFA(context), false};
  if (frame.address == 0) return _URC_END_OF_STACK;
  frame.isTorch = isTorchCode(frame.address);
  if (!walk.add(frame)) return _URC_END_OF_STACK;
  if (!kKnowsFrameLayout) return _URC_NO_REASON;
  const Chain& last = *walk.last;
  while (walk.nextOfLast < last.size && last.frames[walk.nextOfLast].bottom < frame.bottom) {
    ++walk.nextOfLast;
  }
  // The same place in the same function: then its frame has the same size, and its caller's frame
  // starts where it did.
  const size_t same = walk.nextOfLast;
  if (same == last.size || last.frames[same].bottom != frame.bottom ||
      last.frames[same].address != frame.address || !isStillThere(last, same)) {
    return _URC_NO_REASON;
  }
  const size_t size = walk.size, recorded = walk.recorded;
  for (size_t i = same + 1; i < last.size; ++i) {
    if (!walk.add(last.frames[i])) return _URC_END_OF_STACK;
  }
  if (last.isWhole) return _URC_END_OF_STACK;
  // Too little is remembered: go on frame by frame.
  walk.size = size;
  walk.recorded = recorded;
  return _URC_NO_REASON;
}

}  // namespace

UserStack UserStack::here() {
  thread_local Chain chain;
  Walk walk;
  walk.last = &chain;
  _Unwind_Backtrace(visitFrame, &walk);
  UserStack stack;
  // The first frame is this function's own.
  for (size_t i = 1; i < walk.size && stack.depth < kMaxDepth; ++i) {
    if (!walk.frames[i].isTorch) stack.addresses[stack.depth++] = walk.frames[i].address;
  }
  std::copy_n(walk.frames.begin(), walk.size, chain.frames.begin());
  chain.size = walk.size;
  chain.isWhole = walk.isWhole;
  return stack;
}

std::vector<SourceLine> symbolize(const UserStack& stack) {
  std::vector<SourceLine> lines;
  for (uint32_t i = 0; i < stack.depth; ++i) {
    // A return address may be the first byte of the next line.
    for (const CodeLine& line : codeLines(stack.addresses[i] - 1)) {
      if (line.isUserCode) lines.push_back(line.source);
    }
  }
  return lines;
}

SourceLine userLine(const UserStack& stack) {
  for (uint32_t i = 0; i < stack.depth; ++i) {
    for (const CodeLine& line : codeLines(stack.addresses[i] - 1)) {
      if (line.isUserCode) return line.source;
    }
  }
  return {};
}

std::string stackText(const UserStack& stack) {
  std::string text;
  for (const SourceLine& line : symbolize(stack)) {
    if (!text.empty()) text += '\n';
    text += line.file + ':' + std::to_string(line.line) + ' ' + line.function;
  }
  return text;
}

SourceLine functionLine(const void* address) {
  return definitionLine(reinterpret_cast<uintptr_t>(address));
}

}  // namespace jitscope::compiler
