#include "trace/write/last_thread.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <thread>

namespace jitscope::trace::write {
namespace {

/// The beginning of a small file, in memory that needs no allocation.
class FileStart {
 public:
  explicit FileStart(const char* path) {
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    const ssize_t got = read(file, bytes_.data(), bytes_.size());
    size_ = got > 0 ? static_cast<size_t>(got) : 0;
    close(file);
  }
  std::string_view text() const { return {bytes_.data(), size_}; }

 private:
  std::array<char, 128> bytes_{};
  size_t size_ = 0;
};

/// `/proc/self/task/THREAD/FILE`
struct ThreadPath {
  ThreadPath(const char* thread, const char* file) {
    std::snprintf(text, sizeof text, "/proc/self/task/%s/%s", thread, file);
  }
  char text[320] = "";
};

/// The kernel keeps it as a zombie until the whole process ends.
bool isZombie(const char* thread) {
  const FileStart status(ThreadPath(thread, "stat").text);
  const size_t name = status.text().rfind(')');  // which may hold anything
  return name != std::string_view::npos && status.text().substr(name, 3) == ") Z";
}

bool isOwn(const char* thread) {
  return FileStart(ThreadPath(thread, "comm").text).text().starts_with(kOwnThreads);
}

bool areAllButTheFirstOwn(const char* first) {
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return false;
  bool areOwn = true;
  while (const dirent* const entry = readdir(threads)) {
    const bool isThread = entry->d_name[0] != '.' && std::strcmp(entry->d_name, first) != 0;
    areOwn = areOwn && (!isThread || isOwn(entry->d_name));
  }
  closedir(threads);
  return areOwn;
}

}  // namespace

bool areOnlyOwnThreadsLeft() noexcept {
  char first[16];
  std::snprintf(first, sizeof first, "%d", static_cast<int>(getpid()));
  return isZombie(first) && areAllButTheFirstOwn(first);
}

void endProcess() noexcept {
  try {
    std::thread([] {
      pthread_setname_np(pthread_self(), "jitscope-exit");
      std::exit(0);
    }).detach();
  } catch (const std::exception&) {
    _exit(0);  // what stays is what a killed process leaves
  }
}

}  // namespace jitscope::trace::write
