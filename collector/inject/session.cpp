#include "collector/inject/session.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>

#include "collector/inject/cancellation_off.h"
#include "collector/inject/dictionary.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/flight.h"
#include "collector/inject/process_state.h"
#include "collector/inject/processor_use.h"
#include "collector/inject/self_description.h"
#include "collector/inject/signal_frame.h"
#include "collector/inject/windows.h"
#include "trace/clock.h"
#include "trace/quiet_thread.h"
#include "trace/signals_blocked.h"
#include "trace/writer.h"

namespace jitscope::collector {
namespace {

constexpr int kEndPatienceSeconds = 5;
constexpr size_t kCloserStackBytes = size_t{1} << 20;  // last words may be of foreign libraries

constinit Dictionary dictionary;
constinit char folder[4096] = "";
constinit bool isLeftAlone = false;
constinit std::array<std::atomic<LastWords>, 4> lastWords{};
thread_local int64_t announcedIn = 0;    // the session that knows this thread
thread_local bool isInsideSink = false;  // a signal's handler may run in the middle of it

class InsideSink {
 public:
  InsideSink() { isInsideSink = true; }
  ~InsideSink() { isInsideSink = before_; }
  InsideSink(const InsideSink&) = delete;
  InsideSink& operator=(const InsideSink&) = delete;

 private:
  bool before_ = isInsideSink;
};

// Every writer that this process and its forebears had. Threads may use them until the process
// ends, so they are never freed; a leak checker finds them here, not in the memory that forks
// clear.
struct KeptWriter {
  trace::FileWriter* writer;
  KeptWriter* next;
};
constinit std::atomic<KeptWriter*> keptWriters{nullptr};

void keepForEver(trace::FileWriter* writer) {
  auto* kept = new KeptWriter{writer, keptWriters.load()};
  while (!keptWriters.compare_exchange_weak(kept->next, kept)) {
  }
}

trace::StringId internInto(trace::FileWriter& writer, std::string_view text) noexcept {
  const trace::StringId id = writer.intern(text);
  dictionary.remember(id, text);
  return id;
}

void reportLoss(trace::FileWriter& writer, const char* reason) {
  trace::emit(writer, trace::LossRow{.timeNs = trace::nowNs(),
                                     .kind = trace::LossKind::kDropped,
                                     .place = internInto(writer, "collector"),
                                     .text = internInto(writer, reason)});
}

// What goes around the session: it is not open yet, or decides of nothing else than this.
class PastSession final : public trace::EventSink {
 public:
  explicit PastSession(trace::FileWriter& writer) : writer_(writer) {}
  trace::StringId intern(std::string_view text) noexcept override {
    return internInto(writer_, text);
  }
  void write(trace::TableId table, std::span<const int64_t> cells) noexcept override {
    writer_.write(table, cells);
  }

 private:
  trace::FileWriter& writer_;
};

void* closeWhenWanted(void*) {
  pthread_setname_np(pthread_self(), "jitscope-close");
  ProcessState& state = processState();
  while (sem_wait(&state.closeWanted) != 0) {
  }
  announcedIn = state.sessionId;  // not one of the program's threads
  for (auto words = lastWords.rbegin(); words != lastWords.rend(); ++words) {
    if (const LastWords speak = words->load()) speak();
  }
  reportProcessorUse(*state.writer.load(), state.useAtOpening);
  PastSession sink(*state.writer.load());
  reportSteps(windowGate(), sink);
  windowGate().endFile(trace::nowNs(), sink);
  state.writer.load()->close();
  state.phase = ProcessState::kEnded;
  sem_post(&state.closed);
  return nullptr;
}

// A thread of its own closes the file: who ends the process may have been interrupted in malloc.
bool startCloser(ProcessState& state) {
  sem_init(&state.closeWanted, 0, 0);
  sem_init(&state.closed, 0, 0);
  return trace::startQuietThread(closeWhenWanted, nullptr, kCloserStackBytes);
}

bool openFile(ProcessState& state) {
  if (!isRecording()) return false;
  const std::string path = newTracePath(folder);
  if (path.size() >= sizeof state.path) return false;
  if (isFlight()) dictionary.keepAtMost(flightPartBytes());
  auto writer = makeWriter(path);
  if (!writer) return false;
  std::memcpy(state.path, path.c_str(), path.size() + 1);
  dictionary.teach(**writer);
  PastSession sink(**writer);
  describeProcess(sink);
  windowGate().beginFile(trace::nowNs(), state.isImage, sink);
  if (isLeftAlone) {
    reportLoss(**writer,
               "a program with the thread sanitizer is not recorded: build it without "
               "-fsanitize=thread");
  }
  state.useAtOpening = currentProcessorUse();
  state.sessionId = trace::nowNs();
  state.hasEvents = false;
  keepForEver(writer->get());
  state.writer = writer->release();
  if (startCloser(state)) return true;
  reportLoss(*state.writer.load(), "no thread can be started, so nothing more is recorded");
  state.writer.load()->close();
  return false;
}

// A handler of the program's that came meanwhile could wait for this very thread.
bool openUndisturbed(ProcessState& state) noexcept {
  const trace::SignalsBlocked blocked;
  const CancellationOff uncancelled;
  try {
    return openFile(state);
  } catch (const std::exception&) {
    return false;
  }
}

trace::FileWriter* open(ProcessState& state) noexcept {
  uint32_t phase = ProcessState::kFresh;
  if (state.phase.compare_exchange_strong(phase, ProcessState::kOpening)) {
    pid_t none = 0;  // forked off without the C library's knowledge
    state.pid.compare_exchange_strong(none, getpid());
    phase = openUndisturbed(state) ? ProcessState::kOpen : ProcessState::kEnded;
    state.phase.store(phase, std::memory_order_release);
  }
  while (phase == ProcessState::kOpening) {
    sched_yield();
    phase = state.phase.load(std::memory_order_acquire);
  }
  return phase == ProcessState::kOpen ? state.writer.load() : nullptr;
}

trace::FileWriter* currentWriter() noexcept {
  ProcessState& state = processState();
  const uint32_t phase = state.phase.load(std::memory_order_acquire);
  if (phase == ProcessState::kOpen || phase == ProcessState::kClosing) {
    return state.writer.load(std::memory_order_relaxed);
  }
  return phase == ProcessState::kEnded || isLeftAlone ? nullptr : open(state);
}

void noteRow(ProcessState& state, trace::FileWriter& writer, trace::TableId table) noexcept {
  const int64_t sessionId = state.sessionId.load(std::memory_order_relaxed);
  if (announcedIn != sessionId) {
    announcedIn = sessionId;
    char name[16] = "";
    pthread_getname_np(pthread_self(), name, sizeof name);
    trace::emit(writer,
                trace::ThreadRow{.thread = syscall(SYS_gettid), .name = internInto(writer, name)});
  }
  const bool isDescription = table == trace::TableId::kProcess ||
                             table == trace::TableId::kThread || table == trace::TableId::kLoss;
  if (!isDescription && !state.hasEvents.load(std::memory_order_relaxed)) state.hasEvents = true;
}

// Whether no window of the recording holds the row. Also sees the steps of the program go by.
bool isLeftOut(trace::FileWriter& writer, trace::TableId table,
               std::span<const int64_t> cells) noexcept {
  WindowGate& gate = windowGate();
  if (gate.countsSteps() && table == trace::TableId::kOp) countStep(gate, dictionary, cells);
  if (!gate.isUsed()) return false;
  PastSession sink(writer);
  return !gate.takes(table, cells, sink);
}

bool leavesFileAt(End end, const ProcessState& state) noexcept {
  if (state.isImage) return end != End::kExec;
  return end == End::kExit && !isLeftAlone;
}

// A handler that ends the program may have interrupted it in malloc: the file of one that had
// nothing to tell is not worth waiting for ever.
// Nor is one that another thread is about to open: it may wait for that very malloc.
void openAtEnd(ProcessState& state) noexcept {
  const InsideSink inside;
  const uint32_t phase = state.phase.load();
  const bool isUnopened = phase == ProcessState::kFresh || phase == ProcessState::kOpening;
  if (isUnopened && !isInsideSignalHandler()) open(state);
}

// In a loop, so that a signal's handler does not cut the wait short.
void waitUntilClosed(ProcessState& state) noexcept {
  timespec deadline{};
  clock_gettime(CLOCK_MONOTONIC, &deadline);  // the other one may be set meanwhile
  deadline.tv_sec += kEndPatienceSeconds;
  while (sem_clockwait(&state.closed, CLOCK_MONOTONIC, &deadline) != 0 && errno == EINTR) {
  }
}

}  // namespace

trace::StringId Session::intern(std::string_view text) noexcept {
  const ErrnoGuard errnoGuard;
  const InsideSink inside;
  trace::FileWriter* writer = currentWriter();
  return writer ? internInto(*writer, text) : trace::StringId{};
}

void Session::write(trace::TableId table, std::span<const int64_t> cells) noexcept {
  const ErrnoGuard errnoGuard;
  const InsideSink inside;
  trace::FileWriter* writer = currentWriter();
  if (!writer) return;
  const bool isLookedAt = areRowsLookedAt();
  if (isLookedAt && isLeftOut(*writer, table, cells)) return;
  noteRow(processState(), *writer, table);
  writer->write(table, cells);
  if (isLookedAt && isFlight()) noteTrigger(*writer, table, cells);
}

void Session::write(trace::TableId table, std::span<const int64_t> cells,
                    const trace::RowTime& caused) noexcept {
  const ErrnoGuard errnoGuard;
  const InsideSink inside;
  trace::FileWriter* writer = currentWriter();
  if (!writer) return;
  PastSession sink(*writer);
  if (windowGate().isUsed() && !windowGate().takes(caused, sink)) return;
  noteRow(processState(), *writer, table);
  writer->write(table, cells);
}

void Session::trigger(std::string_view reason) noexcept {
  const ErrnoGuard errnoGuard;
  const InsideSink inside;
  if (trace::FileWriter* writer = currentWriter()) writer->trigger(reason, trace::nowNs());
}

Session& session() {
  // Never destroyed: other libraries' threads and last words use it until the process is gone.
  static constinit union Kept {
    constexpr Kept() : session() {}
    ~Kept() {}
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    Session session;
  } kept;
  return kept.session;
}

void prepareSession(const char* recordingFolder, bool leaveAlone) {
  prepareProcessState();
  isLeftAlone = leaveAlone;
  if (recordingFolder && std::strlen(recordingFolder) < sizeof folder) {
    std::strcpy(folder, recordingFolder);
  }
}

bool isRecording() { return folder[0] != '\0'; }

bool atEndOfSession(LastWords words) noexcept {
  return words && std::any_of(lastWords.begin(), lastWords.end(), [&](auto& place) {
           LastWords none = nullptr;
           return place.compare_exchange_strong(none, words);
         });
}

bool openSession() noexcept {
  const ErrnoGuard errnoGuard;
  const InsideSink inside;
  return currentWriter() != nullptr;
}

void endSession(End end) noexcept {
  if (!isRecording() || !ownsProcessState()) return;
  if (isInsideSink) return;  // the signal came in the middle of it: locks may be held

  const ErrnoGuard errnoGuard;
  const CancellationOff uncancelled;
  ProcessState& state = processState();
  const bool leavesFile = leavesFileAt(end, state);
  if (leavesFile) openAtEnd(state);
  uint32_t phase = ProcessState::kOpen;
  if (!state.phase.compare_exchange_strong(phase, ProcessState::kClosing)) return;
  sem_post(&state.closeWanted);
  waitUntilClosed(state);
  if (!leavesFile && !state.hasEvents) unlink(state.path);
}

void resumeSession() noexcept {
  uint32_t phase = ProcessState::kEnded;
  if (ownsProcessState()) {
    processState().phase.compare_exchange_strong(phase, ProcessState::kFresh);
  }
}

}  // namespace jitscope::collector
