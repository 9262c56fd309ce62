#pragma once

#include <cstdint>
#include <functional>

namespace jitscope::compiler {

/// Runs `work(begin, end)` over the items 0…`items`, cut into at most `threads` pieces of like
/// size, on the threads of LibTorch's own OpenMP team, and waits. On the calling thread alone when
/// the process has no OpenMP or is inside of such a team. `work` must not throw.
void shareItems(int64_t items, int threads,
                const std::function<void(int64_t begin, int64_t end)>& work);

}  // namespace jitscope::compiler
