#include "trace/trace_path.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "trace/clock.h"
#include "trace/format/layout.h"

namespace jitscope::trace {
namespace {

constexpr int64_t kNsPerSecond = 1'000'000'000;

/// When the kernel started this process, whatever programs it has been since: field 22 of its
/// status, in ticks from the boot on.
std::optional<int64_t> processStartNs() {
  std::ifstream file("/proc/self/stat");
  const std::string status{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  size_t place = status.rfind(')');  // the name before it may hold anything
  for (int field = 2; field < 22 && place != std::string::npos; ++field) {
    place = status.find(' ', place + 1);
  }
  const long ticksPerSecond = sysconf(_SC_CLK_TCK);
  if (place == std::string::npos || ticksPerSecond <= 0) return std::nullopt;
  timespec sinceBoot{};
  clock_gettime(CLOCK_BOOTTIME, &sinceBoot);
  const int64_t startNs =
      std::strtoll(status.c_str() + place, nullptr, 10) * (kNsPerSecond / ticksPerSecond);
  return nowNs() - (int64_t{sinceBoot.tv_sec} * kNsPerSecond + sinceBoot.tv_nsec - startNs);
}

bool isRegularFile(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::optional<format::FileHeader> readHeader(const std::filesystem::path& path) {
  if (!isRegularFile(path)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  format::FileHeader header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return std::nullopt;
  if (header.magic != format::kFileMagic) return std::nullopt;
  return header;
}

bool wasWrittenByThisProcess(const std::filesystem::path& path) {
  const std::optional<format::FileHeader> header = readHeader(path);
  if (!header || header->pid != getpid()) return false;
  // The same number may have been another process's.
  const std::optional<int64_t> startNs = processStartNs();
  return !startNs || header->createdNs >= *startNs;
}

}  // namespace

std::filesystem::path hiddenTracePath(const std::filesystem::path& path) {
  return path.parent_path() / ("." + path.filename().string() + "." + std::to_string(getpid()));
}

bool isHiddenTracePath(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') && name.find(".jitscope.") != std::string::npos;
}

bool isBeingWritten(const std::filesystem::path& path) {
  if (!isRegularFile(path)) return false;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  const bool isFree = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  ::close(file);
  return !isFree;
}

std::optional<int64_t> writerPid(const std::filesystem::path& path) {
  const std::optional<format::FileHeader> header = readHeader(path);
  return header ? std::optional(header->pid) : std::nullopt;
}

std::filesystem::path tracePathFor(const std::filesystem::path& wanted) {
  if (!isBeingWritten(wanted) && !wasWrittenByThisProcess(wanted)) return wanted;
  std::filesystem::path name = wanted.stem();
  name += "-" + std::to_string(getpid());
  name += wanted.extension();
  return wanted.parent_path() / name;
}

}  // namespace jitscope::trace
