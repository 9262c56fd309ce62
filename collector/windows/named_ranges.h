#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "collector/windows/fork_lock.h"

namespace jitscope::collector {

/// Whether the text, wide as NVTX has it too, is `name`, which is UTF-8. A null text is not.
bool isNamed(std::string_view name, const char* text) noexcept;
bool isNamed(std::string_view name, const wchar_t* text) noexcept;

/// The ranges that one thread has pushed and not yet popped, by domain: a domain has a stack of its
/// own. Of more domains than are known here nothing is tracked. Only for that thread.
class PushedRanges {
 public:
  /// A range was pushed; true when it is wanted and lies in no other wanted one.
  bool push(uint64_t domain, bool isWanted) noexcept;

  /// The innermost range was popped; true when it is one of which `push` gave true.
  bool pop(uint64_t domain) noexcept;

 private:
  static constexpr int kNone = -1;
  struct Stack {
    uint64_t domain = 0;
    int depth = 0;
    int wantedAt = kNone;  ///< the depth at which the outermost wanted range was pushed
    bool isUsed = false;
  };
  Stack* stackOf(uint64_t domain) noexcept;

  std::array<Stack, 8> stacks_{};
};

/// How many wanted ranges are open in all threads. `onTurn` hears of the first that opens and of
/// the last that closes, one after the other. Any thread.
class OpenRanges {
 public:
  using OnTurn = void (*)(bool isOpen);

  void open(OnTurn onTurn) noexcept;

  /// Does nothing when none is open.
  void close(OnTurn onTurn) noexcept;

 private:
  ForkLock lock_;
  int64_t count_ = 0;  ///< under lock_
};

}  // namespace jitscope::collector
