#include "compiler/journal/process.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "trace/clock.h"
#include "trace/schema.h"

#ifndef JITSCOPE_VERSION
#define JITSCOPE_VERSION ""
#endif
#ifndef JITSCOPE_TORCH_VERSION
#define JITSCOPE_TORCH_VERSION ""
#endif

namespace jitscope::compiler {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

std::string commandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

std::string executable() {
  std::array<char, 4096> path{};
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  return size > 0 ? std::string(path.data(), static_cast<size_t>(size)) : "";
}

std::string hostName() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

int64_t clockNs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<int64_t>(time.tv_sec) * kNsPerSecond + time.tv_nsec;
}

/// When the kernel started this process; now when /proc does not say.
int64_t processStartNs() {
  constexpr int kFieldsBeforeStart = 19;  // of those after the command's name
  std::ifstream file("/proc/self/stat");
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::istringstream fields(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string skipped;
  for (int i = 0; i < kFieldsBeforeStart; ++i) fields >> skipped;
  int64_t ticks = 0;
  if (!(fields >> ticks)) return trace::nowNs();
  const int64_t sinceBootNs = ticks * (kNsPerSecond / sysconf(_SC_CLK_TCK));
  return trace::nowNs() - (clockNs(CLOCK_BOOTTIME) - sinceBootNs);
}

int64_t numberOf(const char* variable) {
  const char* text = std::getenv(variable);
  return text && *text ? std::strtoll(text, nullptr, 10) : -1;
}

}  // namespace

void describeProcess(trace::EventSink& sink) noexcept {
  try {
    trace::ProcessRow row;
    row.pid = getpid();
    row.parentPid = getppid();
    row.startNs = processStartNs();
    row.commandLine = sink.intern(commandLine());
    row.executable = sink.intern(executable());
    row.hostName = sink.intern(hostName());
    row.rank = numberOf("RANK");
    row.worldSize = numberOf("WORLD_SIZE");
    row.jitscopeVersion = sink.intern(JITSCOPE_VERSION);
    row.torchVersion = sink.intern(JITSCOPE_TORCH_VERSION);
    row.clockRealtimeNs = clockNs(CLOCK_REALTIME);
    row.clockMonotonicNs = clockNs(CLOCK_MONOTONIC);
    trace::emit(sink, row);
  } catch (...) {
    // No memory for a few names: the trace goes without this row.
  }
}

void describeThread(trace::EventSink& sink, int64_t thread) noexcept {
  std::array<char, 32> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  trace::emit(sink, trace::ThreadRow{.thread = thread, .name = sink.intern(name.data())});
}

}  // namespace jitscope::compiler
