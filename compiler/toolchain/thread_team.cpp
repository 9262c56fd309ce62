#include "compiler/toolchain/thread_team.h"

#include <dlfcn.h>

#include <algorithm>

namespace jitscope::compiler {
namespace {

/// The OpenMP runtime that LibTorch has brought into the process. Compiled into this library
/// instead, it might be another one, and two teams of threads would fight for the cores.
struct OpenMp {
  using Parallel = void (*)(void (*)(void*), void*, unsigned, unsigned);
  using Number = int (*)();
  Parallel parallel = nullptr;
  Number thread = nullptr, threads = nullptr, isInTeam = nullptr;

  bool isHere() const { return parallel && thread && threads && isInTeam; }
};

template <class Function>
Function find(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

const OpenMp& openMp() {
  static const OpenMp found{
      find<OpenMp::Parallel>("GOMP_parallel"), find<OpenMp::Number>("omp_get_thread_num"),
      find<OpenMp::Number>("omp_get_num_threads"), find<OpenMp::Number>("omp_in_parallel")};
  return found;
}

struct Share {
  int64_t items, threads;
  const std::function<void(int64_t, int64_t)>* work;
};

void runShare(void* data) {
  const auto& share = *static_cast<const Share*>(data);
  const OpenMp& runtime = openMp();
  const int64_t thread = runtime.thread();
  const int64_t threads = std::min<int64_t>(share.threads, runtime.threads());
  if (thread >= threads) return;
  const int64_t begin = share.items * thread / threads;
  const int64_t end = share.items * (thread + 1) / threads;
  if (begin < end) (*share.work)(begin, end);
}

}  // namespace

void shareItems(int64_t items, int threads,
                const std::function<void(int64_t begin, int64_t end)>& work) {
  const auto most = static_cast<int>(std::min<int64_t>(threads, items));
  if (most < 2 || !openMp().isHere() || openMp().isInTeam()) {
    if (items > 0) work(0, items);
    return;
  }
  Share share{items, most, &work};
  // The whole team starts, as in LibTorch's own loops: GNU's OpenMP ends threads when a team is
  // smaller than the one before, and makes them anew for the next.
  openMp().parallel(&runShare, &share, 0, 0);
}

}  // namespace jitscope::compiler
