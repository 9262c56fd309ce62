#pragma once

#include <cstddef>
#include <type_traits>

namespace jitscope::trace {

/// The position of a member among its table's columns, e.g. `columnIndex<&OpRow::depth, OpRow>()`.
template <auto Member, class Row>
constexpr size_t columnIndex() {
  size_t next = 0, found = 0;
  Row::columns([&](const char*, auto member) {
    if constexpr (std::is_same_v<decltype(member), std::remove_cv_t<decltype(Member)>>) {
      if (member == Member) found = next;
    }
    ++next;
  });
  return found;
}

}  // namespace jitscope::trace
