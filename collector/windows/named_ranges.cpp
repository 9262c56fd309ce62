#include "collector/windows/named_ranges.h"

#include <algorithm>

namespace jitscope::collector {
namespace {

/// The bytes of a character in UTF-8; returns how many.
size_t encode(uint32_t letter, char* bytes) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (letter >> shift & 0x3F)); };
  if (letter < 0x80) {
    bytes[0] = static_cast<char>(letter);
    return 1;
  }
  if (letter < 0x800) {
    bytes[0] = static_cast<char>(0xC0 | letter >> 6), bytes[1] = tail(0);
    return 2;
  }
  if (letter < 0x10000) {
    bytes[0] = static_cast<char>(0xE0 | letter >> 12), bytes[1] = tail(6), bytes[2] = tail(0);
    return 3;
  }
  bytes[0] = static_cast<char>(0xF0 | (letter >> 18 & 0x07));
  bytes[1] = tail(12), bytes[2] = tail(6), bytes[3] = tail(0);
  return 4;
}

}  // namespace

bool isNamed(std::string_view name, const char* text) noexcept { return text && name == text; }

bool isNamed(std::string_view name, const wchar_t* text) noexcept {
  if (!text) return false;
  for (; *text != L'\0'; ++text) {
    char bytes[4];
    const std::string_view letter(bytes, encode(static_cast<uint32_t>(*text), bytes));
    if (!name.starts_with(letter)) return false;
    name.remove_prefix(letter.size());
  }
  return name.empty();
}

PushedRanges::Stack* PushedRanges::stackOf(uint64_t domain) noexcept {
  const auto known = std::find_if(stacks_.begin(), stacks_.end(), [&](const Stack& stack) {
    return stack.isUsed && stack.domain == domain;
  });
  if (known != stacks_.end()) return &*known;
  const auto free = std::find_if(stacks_.begin(), stacks_.end(),
                                 [](const Stack& stack) { return stack.depth == 0; });
  if (free == stacks_.end()) return nullptr;
  *free = Stack{.domain = domain, .isUsed = true};
  return &*free;
}

bool PushedRanges::push(uint64_t domain, bool isWanted) noexcept {
  Stack* const stack = stackOf(domain);
  if (!stack) return false;
  const int depth = stack->depth++;
  if (!isWanted || stack->wantedAt != kNone) return false;
  stack->wantedAt = depth;
  return true;
}

bool PushedRanges::pop(uint64_t domain) noexcept {
  Stack* const stack = stackOf(domain);
  if (!stack || stack->depth == 0) return false;
  if (--stack->depth != stack->wantedAt) return false;
  stack->wantedAt = kNone;
  return true;
}

void OpenRanges::open(OnTurn onTurn) noexcept {
  const ForkLock::Hold hold(lock_);
  if (!hold) return;
  ++count_;
  if (count_ == 1) onTurn(true);
}

void OpenRanges::close(OnTurn onTurn) noexcept {
  const ForkLock::Hold hold(lock_);
  if (!hold || count_ == 0) return;
  --count_;
  if (count_ == 0) onTurn(false);
}

}  // namespace jitscope::collector
