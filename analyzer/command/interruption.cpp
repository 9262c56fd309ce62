#include "analyzer/command/interruption.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <thread>

#include "analyzer/unfinished_paths.h"
#include "trace/signals_blocked.h"

namespace jitscope::analyzer {
namespace {

constexpr std::array kSignals{SIGINT, SIGTERM};

/// What a signal handler writes to; global because a handler can be given nothing.
std::atomic<int> handlerPipe{-1};
static_assert(std::atomic<int>::is_always_lock_free);

void tell(int signal) {
  const int before = errno;
  const auto byte = static_cast<char>(signal);
  [[maybe_unused]] const ssize_t written = write(handlerPipe, &byte, 1);
  errno = before;
}

void say(std::string_view text) {
  // Nobody is left who could be told that this failed.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

[[noreturn]] void end(int signal) {
  removeUnfinishedPaths();
  constexpr std::string_view kClearLine = "\r\x1b[K";
  if (isatty(STDERR_FILENO) != 0) say(kClearLine);
  say("jitscope: interrupted\n");
  constexpr int kBySignal = 128;  // as shells tell it
  _exit(kBySignal + signal);
}

}  // namespace

/// Waits on a thread for what the signal handler writes into a pipe: the handler itself may do
/// next to nothing.
class Interruption::Watch {
 public:
  Watch() {
    if (pipe2(pipe_.data(), O_CLOEXEC) != 0) return;  // signals then end the process as ever
    try {
      const trace::SignalsBlocked scope;  // or the handler would run on that thread
      thread_ = std::thread([this] { wait(); });
    } catch (const std::system_error&) {
      for (const int end : pipe_) close(end);
      return;  // as above
    }
    handlerPipe = pipe_[1];
    for (size_t i = 0; i < kSignals.size(); ++i) {
      struct sigaction action {};
      action.sa_handler = tell;
      action.sa_flags = SA_RESTART;
      sigaction(kSignals[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) sigaction(kSignals[i], &action, nullptr);
    }
  }

  ~Watch() {
    if (!thread_.joinable()) return;
    for (size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    tell(kDone);
    thread_.join();
    handlerPipe = -1;
    for (const int end : pipe_) close(end);
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

 private:
  static constexpr int kDone = 0;

  void wait() const {
    char byte = kDone;
    ssize_t got = 0;
    do {
      got = read(pipe_[0], &byte, 1);
    } while (got < 0 && errno == EINTR);
    if (got == 1 && byte != kDone) end(byte);
  }

  std::array<int, 2> pipe_{-1, -1};
  std::array<struct sigaction, kSignals.size()> before_{};
  std::thread thread_;
};

Interruption::Interruption() : watch_(std::make_unique<Watch>()) {}
Interruption::~Interruption() = default;

}  // namespace jitscope::analyzer
