#include "trace/writer.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <utility>

#include "trace/format/layout.h"
#include "trace/leak_exempt.h"
#include "trace/quiet_thread.h"
#include "trace/tables.h"
#include "trace/write/file_recorder.h"
#include "trace/write/flight_recorder.h"
#include "trace/write/fork_count.h"
#include "trace/write/fork_pause.h"
#include "trace/write/last_thread.h"
#include "trace/write/loss_counters.h"
#include "trace/write/text_interner.h"
#include "trace/write/thread_logs.h"

namespace jitscope::trace {
namespace {

// A row waits at most one period and then for the packing of what came before it.
constexpr std::chrono::milliseconds kPeriod{100};
// Under load the thread looks more often, so that little memory waits.
constexpr std::chrono::milliseconds kBusyPeriod{5};
constexpr size_t kBusyRows = 20'000;

constexpr size_t kStackBytes = size_t{512} << 10;  // what the work needs, many times over
constexpr size_t kSegmentBytes = size_t{32} << 10;
constexpr size_t kMostSegments = 6144;
constexpr size_t kFewestSegments = 64;
// What a text takes beside its own bytes.
constexpr size_t kTextOwnBytes = 128;

bool isFlight(const FlightOptions& options) { return options.beforeNs > 0; }

// Of a flight recorder's memory a half is for packed rows, and an eighth each for rows on their way
// there, texts, their ids, and texts that are kept for forked children.
size_t eighthOf(const FlightOptions& options) {
  return static_cast<size_t>(options.memoryBytes) / 8;
}

int64_t threadTimeNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

/// How many columns each table has, without a look at anything that is built at run time.
constexpr size_t kTableCount = static_cast<size_t>(TableId::kRecordedWindow);
const std::array<size_t, kTableCount + 1> kColumnCounts = [] {
  std::array<size_t, kTableCount + 1> counts{};
  forEachTable([&]<class Row>() { counts[static_cast<size_t>(Row::kTable)] = columnCount<Row>(); });
  return counts;
}();

}  // namespace

/// What the producers and the writer's thread share. The mutex guards the members below it.
struct FileWriter::State {
  State(std::filesystem::path place, FlightOptions options)
      : path(std::move(place)),
        texts(isFlight(options)
                  ? write::TextInterner(eighthOf(options) / kTextOwnBytes, eighthOf(options))
                  : write::TextInterner()),
        logs(isFlight(options) ? std::max(kFewestSegments, eighthOf(options) / kSegmentBytes)
                               : kMostSegments) {
    if (isFlight(options)) {
      recorder = std::make_unique<write::FlightRecorder>(
          write::Producers{logs, texts, lossCounters, &forkPause}, std::move(options));
    } else {
      recorder = std::make_unique<write::FileRecorder>(logs, texts, lossCounters);
    }
  }

  const std::filesystem::path path;
  const uint64_t forkCount = write::forkCount();
  std::atomic<bool> isOpen{false};
  write::TextInterner texts;
  write::LossCounters lossCounters;
  write::ThreadLogs logs;
  std::unique_ptr<write::Recorder> recorder;
  write::ForkPause forkPause;
  bool isProcessEnding = false;  // the writer's thread has seen to it
  pthread_t thread{};

  std::mutex mutex;
  std::condition_variable wake;
  std::condition_variable done;
  std::optional<Result<void>> created;
  std::optional<Result<void>> notCreated = Error{"cannot be created: not enough memory"};
  bool isStopping = false;
  bool isFinished = false;
  uint64_t flushesAsked = 0;
  uint64_t flushesDone = 0;
  WriterSummary summary;

  bool isUsable() const {
    return isOpen.load(std::memory_order_acquire) && forkCount == write::forkCount();
  }
  std::optional<Result<void>> createFile();
  void run() noexcept;
  void recordUntilStopped();
  size_t recordOnce(bool isLast);
  void endWithLastThread();
};

/// For want of memory gives the error that was made when there was some.
std::optional<Result<void>> FileWriter::State::createFile() {
  try {
    return recorder->create(path);
  } catch (const std::bad_alloc&) {
    return std::move(notCreated);
  }
}

/// The writer's thread.
void FileWriter::State::run() noexcept {
  pthread_setname_np(pthread_self(), "jitscope-trace");
  bool isCreated = false;
  {
    const std::lock_guard work(forkPause.work());
    std::optional<Result<void>> result = createFile();
    isCreated = static_cast<bool>(*result);
    const std::lock_guard lock(mutex);
    created = std::move(result);
  }
  done.notify_all();
  if (isCreated) recordUntilStopped();
}

void FileWriter::State::recordUntilStopped() {
  std::unique_lock lock(mutex);
  std::chrono::milliseconds period = kPeriod;
  for (bool isLast = false; !isLast;) {
    wake.wait_for(lock, period, [&] { return isStopping || flushesAsked > flushesDone; });
    isLast = isStopping;
    const uint64_t asked = flushesAsked;
    lock.unlock();
    const size_t rows = recordOnce(isLast);
    period = rows > kBusyRows ? kBusyPeriod : kPeriod;
    if (rows == 0 && !isLast) endWithLastThread();
    lock.lock();
    flushesDone = asked;
    isFinished = isLast;
    done.notify_all();
  }
  summary = {recorder->fileBytes(), recorder->rowsWritten(), recorder->rowsLost(), threadTimeNs()};
}

/// Gives how many rows it took.
size_t FileWriter::State::recordOnce(bool isLast) {
  const std::lock_guard work(forkPause.work());
  const size_t rows = recorder->record();
  if (!isLast) return rows;
  while (recorder->record() > 0) {
  }
  recorder->finish(threadTimeNs());
  return rows;
}

/// Else a program that leaves main by pthread_exit would wait for ever for the writer's thread.
void FileWriter::State::endWithLastThread() {
  if (isProcessEnding) return;
  const std::lock_guard work(forkPause.work());
  isProcessEnding = write::areOnlyOwnThreadsLeft();
  if (isProcessEnding) write::endProcess();
}

FileWriter::FileWriter(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<FileWriter>> FileWriter::create(const std::filesystem::path& path) {
  return begin(path, {});
}

Result<std::unique_ptr<FileWriter>> FileWriter::createFlight(const std::filesystem::path& path,
                                                             FlightOptions options) {
  return begin(path, std::move(options));
}

Result<std::unique_ptr<FileWriter>> FileWriter::begin(const std::filesystem::path& path,
                                                      FlightOptions options) {
  try {
    write::watchForks();
    auto state = std::make_unique<State>(path, std::move(options));
    State& shared = *state;
    // Made first: once the thread runs, nothing may be thrown any more.
    std::unique_ptr<FileWriter> writer(new FileWriter(std::move(state)));
    {
      const LeakExempt exempt;  // the thread alone knows what it was started with
      const auto run = [](void* argument) -> void* {
        static_cast<State*>(argument)->run();
        return nullptr;
      };
      if (!startQuietThread(run, &shared, kStackBytes, &shared.thread)) {
        return Error{path.string() + ": cannot be created: no thread can be started to write it"};
      }
    }
    std::unique_lock lock(shared.mutex);
    shared.done.wait(lock, [&] { return shared.created.has_value(); });
    lock.unlock();
    if (!*shared.created) {
      pthread_join(shared.thread, nullptr);
      return shared.created->error().within(path.string());
    }
    shared.isOpen.store(true, std::memory_order_release);
    return writer;
  } catch (const std::bad_alloc&) {
    return Error{path.string() + ": cannot be created: not enough memory"};
  }
}

FileWriter::~FileWriter() {
  close();
  // In a forked child the thread and the owners of the locks do not exist: nothing can be taken
  // apart.
  if (state_->forkCount != write::forkCount()) static_cast<void>(state_.release());
}

StringId FileWriter::intern(std::string_view text) noexcept {
  if (text.empty() || !state_->isUsable()) return {};
  if (text.size() > format::kMaxTextBytes) {
    text = text.substr(0, format::kMaxTextBytes);
    state_->lossCounters.texts.fetch_add(1, std::memory_order_relaxed);
  }
  const write::TextKey key = write::keyOf(text);
  write::ThreadLog* const log = state_->logs.mine();
  if (log != nullptr) {
    if (const std::optional<StringId> recent = log->recent.find(key)) return *recent;
  }
  const std::optional<StringId> id = state_->texts.intern(key, text);
  if (!id) {
    state_->lossCounters.texts.fetch_add(1, std::memory_order_relaxed);
    return {};
  }
  if (log != nullptr) log->recent.remember(key, *id);
  return *id;
}

void FileWriter::write(TableId table, std::span<const int64_t> cells) noexcept {
  if (!state_->isUsable()) return;
  const auto id = static_cast<size_t>(table);
  if (id == 0 || id > kTableCount) {
    state_->lossCounters.rowsOfUnknownTables.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (cells.size() > kColumnCounts[id]) cells = cells.first(kColumnCounts[id]);
  write::ThreadLog* const log = state_->logs.mine();
  const bool isKept =
      log != nullptr ? log->rows.append(table, cells) : state_->logs.appendShared(table, cells);
  if (!isKept) state_->lossCounters.rowsWithoutMemory.fetch_add(1, std::memory_order_relaxed);
}

void FileWriter::trigger(std::string_view reason, int64_t timeNs) noexcept {
  if (state_->isUsable()) state_->recorder->trigger(reason, timeNs);
}

void FileWriter::flush() noexcept {
  if (!state_->isUsable()) return;
  std::unique_lock lock(state_->mutex);
  const uint64_t mine = ++state_->flushesAsked;
  state_->wake.notify_one();
  state_->done.wait(lock, [&] { return state_->flushesDone >= mine || state_->isFinished; });
}

WriterSummary FileWriter::close() noexcept {
  if (state_->forkCount != write::forkCount()) return {};
  if (state_->isOpen.exchange(false)) {
    {
      const std::lock_guard lock(state_->mutex);
      state_->isStopping = true;
    }
    state_->wake.notify_one();
    pthread_join(state_->thread, nullptr);
  }
  return state_->summary;
}

}  // namespace jitscope::trace
