#include "collector/inject/process_state.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <new>

namespace jitscope::collector {
namespace {

constinit ProcessState* state = nullptr;
alignas(ProcessState) constinit char reserve[sizeof(ProcessState)] = {};

void startAfreshInChild() {
  ::new (state) ProcessState{};
  state->pid = getpid();
}

}  // namespace

ProcessState& processState() { return state ? *state : *reinterpret_cast<ProcessState*>(reserve); }

void prepareProcessState() {
  constexpr size_t kSizeBytes = sizeof(ProcessState);
  void* memory =
      mmap(nullptr, kSizeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    memory = reserve;
  } else {
    // Refused by old kernels; then only children of fork() proper start afresh.
    madvise(memory, kSizeBytes, MADV_WIPEONFORK);
  }
  state = ::new (memory) ProcessState{};
  state->isImage = true;
  state->pid = getpid();
  pthread_atfork(nullptr, nullptr, startAfreshInChild);
}

bool ownsProcessState() { return processState().pid.load(std::memory_order_relaxed) == getpid(); }

}  // namespace jitscope::collector
