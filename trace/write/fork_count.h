#pragma once

#include <atomic>
#include <cstdint>

namespace jitscope::trace::write {

namespace detail {
extern std::atomic<uint64_t> forks;
}

/// Starts counting. Safe to call again.
void watchForks();

/// How many forks lie between the process that loaded this code and the calling one. What was made
/// under another count belongs to a parent: its thread and the holders of its locks are not here.
inline uint64_t forkCount() { return detail::forks.load(std::memory_order_relaxed); }

}  // namespace jitscope::trace::write
