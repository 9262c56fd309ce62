#include "collector/torch/operator_thread.h"

#include <ATen/record_function.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

#include "trace/leak_exempt.h"

namespace jitscope::collector {
namespace {

// All threads that run operators, and what the ended ones counted. Never destroyed: threads may end
// after everything else.
struct Registry {
  std::mutex mutex;
  std::vector<OperatorThread*> threads;
  OperatorCounts ended;
};

alignas(Registry) char registryMemory[sizeof(Registry)];
Registry& registry() { return *reinterpret_cast<Registry*>(registryMemory); }

std::atomic<uint32_t> forks{1};

// The child has one thread, and counts for itself.
void startAfreshInChild() {
  ::new (registryMemory) Registry;
  forks.fetch_add(1, std::memory_order_relaxed);
}

__attribute__((constructor)) void prepareRegistry() {
  ::new (registryMemory) Registry;
  pthread_atfork(nullptr, nullptr, startAfreshInChild);
}

enum class Life : uint8_t { kUnborn, kAlive, kOver };
thread_local Life life = Life::kUnborn;
thread_local OperatorThread* currentThread = nullptr;

struct Owner {
  Owner() = default;
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
  ~Owner() {
    life = Life::kOver;
    delete currentThread;
    currentThread = nullptr;
  }
};

OperatorThread* create() {
  if (life == Life::kOver) return nullptr;
  const trace::LeakExempt exempt;  // the thread alone knows both
  static thread_local Owner owner;
  static_cast<void>(owner);
  currentThread = new OperatorThread;
  life = Life::kAlive;
  return currentThread;
}

OperatorCounts countsOf(const OperatorThread& thread) {
  return {.operators = thread.operators, .lost = thread.lost, .overheadNs = thread.overheadNs};
}

void add(OperatorCounts& sum, const OperatorCounts& more) {
  sum.operators += more.operators;
  sum.lost += more.lost;
  sum.overheadNs += more.overheadNs;
}

// LibTorch numbers the threads that record from 1 on.
std::array<std::atomic<int32_t>, 4096> threadsByLogicalId;

}  // namespace

OperatorThread* OperatorThread::current() {
  return life == Life::kAlive ? currentThread : create();
}

OperatorCounts OperatorThread::countsOfAll() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  OperatorCounts sum = all.ended;
  for (const OperatorThread* thread : all.threads) add(sum, countsOf(*thread));
  return sum;
}

OperatorThread::OperatorThread() = default;

OperatorThread::~OperatorThread() {
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const auto place = std::find(all.threads.begin(), all.threads.end(), this);
  if (place == all.threads.end()) return;
  all.threads.erase(place);
  add(all.ended, countsOf(*this));
}

int64_t OperatorThread::id() {
  const uint32_t process = forks.load(std::memory_order_relaxed);
  if (idOfProcess_ == process) return id_;
  idOfProcess_ = process;
  id_ = syscall(SYS_gettid);
  const uint64_t logical = at::RecordFunction::currentThreadId();
  if (logical < threadsByLogicalId.size()) threadsByLogicalId[logical] = static_cast<int32_t>(id_);
  operators = lost = overheadNs = 0;
  Registry& all = registry();
  const std::lock_guard lock(all.mutex);
  const trace::LeakExempt exempt;  // a forked child starts a list of its own
  all.threads.push_back(this);
  return id_;
}

OpenOperator* OperatorThread::push(const void* function) {
  if (depth_ == kDeepest) return nullptr;
  OpenOperator& top = open_[depth_];
  top.function = function;
  top.isTimed = pushes_++ % kOverheadSample == 0;
  top.row.depth = depth_++;
  return &top;
}

OpenOperator* OperatorThread::pop(const void* function) {
  for (uint32_t place = depth_; place > 0; --place) {
    if (open_[place - 1].function != function) continue;
    depth_ = place - 1;
    return &open_[depth_];
  }
  return nullptr;
}

int64_t threadOfLogicalId(uint64_t logicalThread) {
  return logicalThread < threadsByLogicalId.size()
             ? threadsByLogicalId[logicalThread].load(std::memory_order_relaxed)
             : 0;
}

}  // namespace jitscope::collector
