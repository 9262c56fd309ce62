#include "collector/windows/shared_switch.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <vector>

namespace jitscope::collector {
namespace {

void* mapped(int file, int protection) {
  void* memory = mmap(nullptr, sizeof(SharedSwitch), protection, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

bool isWhole(int file) { return lseek(file, 0, SEEK_END) >= off_t{sizeof(SharedSwitch)}; }

}  // namespace

std::filesystem::path SharedSwitch::pathIn(const std::filesystem::path& folder) {
  return folder / ".switch";
}

trace::Result<SharedSwitch*> SharedSwitch::create(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  // Written, not only made long: a page that the disk has no place for would end who reads it.
  const std::vector<char> zeros(sizeof(SharedSwitch), 0);
  const bool isWritten =
      file >= 0 && write(file, zeros.data(), zeros.size()) == static_cast<ssize_t>(zeros.size());
  void* memory = isWritten ? mapped(file, PROT_READ | PROT_WRITE) : nullptr;
  const int reason = errno;
  if (file >= 0) close(file);
  if (memory) return static_cast<SharedSwitch*>(memory);
  if (file >= 0) unlink(path.c_str());
  return trace::Error{path.string() + ": cannot be written: " + std::strerror(reason)};
}

const SharedSwitch* SharedSwitch::open(const char* path) noexcept {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return nullptr;
  void* memory = isWhole(file) ? mapped(file, PROT_READ) : nullptr;
  close(file);
  return static_cast<const SharedSwitch*>(memory);
}

void SharedSwitch::flip(int64_t timeNs) noexcept {
  const uint64_t number = flips_.load(std::memory_order_relaxed);
  timesNs_[number % kKept].store(timeNs, std::memory_order_relaxed);
  flips_.store(number + 1, std::memory_order_release);
}

int64_t SharedSwitch::timeOf(uint64_t number) const noexcept {
  return number + kKept > flips() ? timesNs_[number % kKept].load(std::memory_order_relaxed) : 0;
}

}  // namespace jitscope::collector
