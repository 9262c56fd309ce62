#include "trace/write/thread_logs.h"

#include <new>
#include <utility>

#include "trace/leak_exempt.h"

namespace jitscope::trace::write {
namespace {

struct LastUsed {
  uint64_t owner = 0;
  ThreadLog* log = nullptr;
};

// Without constructor and destructor, so that reaching them costs no check and is allowed to the
// end.
constinit thread_local LastUsed lastUsed;
constinit thread_local bool isThreadEnding = false;

/// All logs of one thread; ends them with it.
class LogsOfThread {
 public:
  LogsOfThread() = default;
  LogsOfThread(const LogsOfThread&) = delete;
  LogsOfThread& operator=(const LogsOfThread&) = delete;
  ~LogsOfThread() {
    isThreadEnding = true;
    lastUsed = {};
    for (const auto& [owner, log] : logs_) log->rows.end();
  }

  ThreadLog* find(uint64_t owner) const {
    for (const auto& [each, log] : logs_) {
      if (each == owner) return log.get();
    }
    return nullptr;
  }

  void add(uint64_t owner, std::shared_ptr<ThreadLog> log) {
    std::erase_if(logs_, [](const auto& each) { return each.second->isAbandoned.load(); });
    logs_.emplace_back(owner, std::move(log));
  }

 private:
  std::vector<std::pair<uint64_t, std::shared_ptr<ThreadLog>>> logs_;
};

thread_local LogsOfThread logsOfThread;

std::atomic<uint64_t> lastId{0};

}  // namespace

ThreadLogs::ThreadLogs(size_t mostSegments)
    : id_(++lastId), pool_(std::make_shared<SegmentPool>(mostSegments)), shared_(pool_) {}

ThreadLogs::~ThreadLogs() {
  for (const auto& log : all_) log->isAbandoned = true;
  for (const auto& log : added_) log->isAbandoned = true;
}

ThreadLog* ThreadLogs::mine() noexcept {
  if (lastUsed.owner == id_) return lastUsed.log;
  if (isThreadEnding) return nullptr;
  const LeakExempt
      exempt;  // the list of its logs, and that it is to be ended, the thread alone knows
  ThreadLog* log = logsOfThread.find(id_);
  if (log == nullptr) log = addMine();
  if (log != nullptr) lastUsed = {id_, log};
  return log;
}

ThreadLog* ThreadLogs::addMine() noexcept {
  try {
    auto log = std::make_shared<ThreadLog>(pool_);
    {
      const std::lock_guard lock(mutex_);
      added_.push_back(log);
    }
    ThreadLog* const mine = log.get();
    logsOfThread.add(id_, std::move(log));
    return mine;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

bool ThreadLogs::appendShared(TableId table, std::span<const int64_t> cells) noexcept {
  const std::lock_guard lock(sharedMutex_);
  return shared_.append(table, cells);
}

}  // namespace jitscope::trace::write
