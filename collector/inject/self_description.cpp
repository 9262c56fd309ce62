#include "collector/inject/self_description.h"

#include <fcntl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "collector/environment.h"
#include "collector/inject/torch_library.h"
#include "trace/clock.h"

namespace jitscope::collector {
namespace {

constexpr size_t kLongestCommandLine = size_t{16} * 1024;

std::string readSmallFile(const char* path) {
  std::string content;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return content;
  char block[4096];
  ssize_t got = 0;
  while (content.size() < kLongestCommandLine && (got = read(file, block, sizeof block)) > 0) {
    content.append(block, static_cast<size_t>(got));
  }
  close(file);
  return content;
}

// Arguments are ended by NULs; to a person they are words, quoted where a shell would need it.
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

std::string executablePath() {
  char target[4096];
  const ssize_t size = readlink("/proc/self/exe", target, sizeof target);
  return size > 0 ? std::string(target, static_cast<size_t>(size)) : std::string();
}

int64_t clockNs(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

// Field 22 of /proc/self/stat counts clock ticks from the boot on.
int64_t startOfProcessNs() {
  const std::string status = readSmallFile("/proc/self/stat");
  size_t place = status.rfind(')');  // the name before it may hold anything
  for (int field = 2; field < 22 && place != std::string::npos; ++field) {
    place = status.find(' ', place + 1);
  }
  if (place == std::string::npos) return trace::nowNs();
  const int64_t ticks = std::atoll(status.c_str() + place);
  const int64_t sinceStartNs =
      clockNs(CLOCK_BOOTTIME) - ticks * 1'000'000'000 / sysconf(_SC_CLK_TCK);
  return trace::nowNs() - sinceStartNs;
}

int64_t numberFromEnvironment(const char* name) {
  const char* text = std::getenv(name);
  return text && std::isdigit(static_cast<unsigned char>(*text)) ? std::atoll(text) : -1;
}

}  // namespace

std::string newTracePath(std::string_view folder) {
  std::string program = executablePath();
  program.erase(0, program.rfind('/') + 1);
  std::replace_if(
      program.begin(), program.end(),
      [](unsigned char c) { return !std::isalnum(c) && !std::strchr("._+-", c); }, '_');
  std::string stem(folder);
  stem += '/' + program.substr(0, 64) + '-' + std::to_string(getpid());
  std::string path = stem + kTraceSuffix;
  for (int next = 2; access(path.c_str(), F_OK) == 0; ++next) {
    path = stem + '-' + std::to_string(next) + kTraceSuffix;
  }
  return path;
}

void describeProcess(trace::EventSink& sink) {
  utsname system{};
  uname(&system);
  trace::ProcessRow row{.pid = getpid(), .parentPid = getppid(), .startNs = startOfProcessNs()};
  row.commandLine = sink.intern(commandLine());
  row.executable = sink.intern(executablePath());
  row.hostName = sink.intern(system.nodename);
  row.rank = numberFromEnvironment("RANK");
  row.worldSize = numberFromEnvironment("WORLD_SIZE");
  row.jitscopeVersion = sink.intern(JITSCOPE_VERSION);
  row.torchVersion = sink.intern(torchLibrary().version);
  row.clockMonotonicNs = clockNs(CLOCK_MONOTONIC);
  row.clockRealtimeNs = trace::nowNs();
  trace::emit(sink, row);
}

}  // namespace jitscope::collector
