#include "trace/process_row.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <climits>
#include <cstdlib>
#include <string_view>

#include "trace/clock.h"

namespace jitscope::trace {
namespace {

constexpr size_t kLongestCommandLine = size_t{16} * 1024;

// What follows runs on the stack of the program, which may have a few kilobytes in all.
std::string readSmallFile(const char* path) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  std::string content(kLongestCommandLine, '\0');
  size_t size = 0;
  ssize_t got = 0;
  while (size < content.size() &&
         (got = ::read(file, content.data() + size, content.size() - size)) > 0) {
    size += static_cast<size_t>(got);
  }
  close(file);
  content.resize(size);
  return content;
}

/// Arguments are ended by NULs; to a person they are words, quoted where a shell would need it.
std::string commandLine() {
  std::string line;
  const std::string arguments = readSmallFile("/proc/self/cmdline");
  for (size_t begin = 0; begin < arguments.size();) {
    const std::string word = arguments.c_str() + begin;
    begin += word.size() + 1;
    if (!line.empty()) line += ' ';
    const bool isPlain = !word.empty() && word.find_first_of(" \t\n'\"\\$&|;<>()*?`") == word.npos;
    line += isPlain ? word : "'" + word + "'";
  }
  return line;
}

int64_t clockNs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// The digits that a text begins with as a number; -1 when there are none or too many.
int64_t leadingNumber(std::string_view text) {
  uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && number <= INT64_MAX ? static_cast<int64_t>(number) : -1;
}

/// Field 22 of /proc/self/stat counts clock ticks from the boot on.
int64_t startOfProcessNs() {
  const std::string status = readSmallFile("/proc/self/stat");
  size_t place = status.rfind(')');  // the name before it may hold anything
  for (int field = 2; field < 22 && place != std::string::npos; ++field) {
    place = status.find(' ', place + 1);
  }
  if (place == std::string::npos) return nowNs();
  const int64_t ticks = leadingNumber(std::string_view(status).substr(place + 1));
  const int64_t sinceStartNs =
      clockNs(CLOCK_BOOTTIME) - ticks * 1'000'000'000 / sysconf(_SC_CLK_TCK);
  return nowNs() - sinceStartNs;
}

int64_t numberFromEnvironment(const char* name) {
  const char* text = std::getenv(name);
  return text ? leadingNumber(text) : -1;
}

}  // namespace

std::string executablePath() {
  std::string target(PATH_MAX, '\0');
  const ssize_t size = readlink("/proc/self/exe", target.data(), target.size());
  target.resize(size > 0 ? static_cast<size_t>(size) : 0);
  return target;
}

ProcessRow processRow(EventSink& sink) {
  utsname system{};
  uname(&system);
  ProcessRow row{.pid = getpid(), .parentPid = getppid(), .startNs = startOfProcessNs()};
  row.commandLine = sink.intern(commandLine());
  row.executable = sink.intern(executablePath());
  row.hostName = sink.intern(system.nodename);
  row.rank = numberFromEnvironment("RANK");
  row.worldSize = numberFromEnvironment("WORLD_SIZE");
  row.clockMonotonicNs = clockNs(CLOCK_MONOTONIC);
  row.clockRealtimeNs = nowNs();
  return row;
}

}  // namespace jitscope::trace
