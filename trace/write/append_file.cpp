#include "trace/write/append_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "trace/format/error_number.h"
#include "trace/trace_path.h"

namespace jitscope::trace::write {
namespace {

constexpr mode_t kMode = 0666;  // less the umask

// The program's own opens take the lowest free number. Far above them ours is not taken by chance
// when the program closes descriptors that it does not know.
constexpr int kLowestDescriptor = 700;

// Gives -1 when it would have to stay in the place of a standard stream that the program has
// closed: what the program prints shall not reach the trace.
int moveUp(int descriptor) {
  int moved = -1;
  for (int lowest = kLowestDescriptor; moved < 0 && lowest > STDERR_FILENO; lowest /= 2) {
    moved = fcntl(descriptor, F_DUPFD_CLOEXEC, lowest);
  }
  if (moved < 0) moved = fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (moved < 0 && descriptor > STDERR_FILENO) return descriptor;
  ::close(descriptor);
  return moved;
}

/// Marks the file as being written. A file system without locks goes without.
void lock(int descriptor) { flock(descriptor, LOCK_EX | LOCK_NB); }

constexpr int kFlags = O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK;

/// Nothing, or a file that may go.
bool isReplaceable(const char* path) {
  struct stat status {};
  return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

int openNew(const char* path) {
  if (isReplaceable(path)) ::unlink(path);
  // Through a link, or in a folder where nothing may be removed, emptying is what is left.
  return ::open(path, kFlags | O_CREAT | O_TRUNC, kMode);
}

/// What the system says of a file that cannot be opened or written, and what helps.
std::string problemOf(int number) {
  std::string remedy = "name another file";
  if (number == ENOENT || number == ENOTDIR) remedy = "name a file in a folder that is there";
  if (number == EACCES || number == EPERM || number == EROFS)
    remedy = "name a file in a folder that you may write to";
  if (number == ENOSPC || number == EDQUOT)
    remedy = "make room on the disk, or name a file on another";
  if (number == EFBIG) remedy = "allow larger files (ulimit -f)";
  if (number == EMFILE || number == ENFILE) remedy = "allow more open files (ulimit -n)";
  return format::describeErrorNumber(number) + ", " + remedy;
}

}  // namespace

AppendFile::~AppendFile() { close(); }

void AppendFile::close() {
  const int descriptor = std::exchange(descriptor_, -1);
  if (descriptor < 0 || !isOurs(descriptor)) return;
  flock(descriptor, LOCK_UN);  // a forked child may have the descriptor still
  ::close(descriptor);
}

Result<void> AppendFile::create(const std::filesystem::path& path,
                                std::span<const uint8_t> beginning) {
  std::error_code ignored;
  path_ = std::filesystem::absolute(path, ignored);  // the program may change its folder
  if (path_.empty()) path_ = path;
  if (isBeingWritten(path_))
    return Error{"cannot be created: another trace is being written there, name another file"};
  if (createUnseen(beginning)) return {};
  return createInSight(beginning);
}

/// By way of a hidden file. Leaves nothing behind when it fails.
bool AppendFile::createUnseen(std::span<const uint8_t> beginning) {
  if (!isReplaceable(path_.c_str())) return false;
  const std::filesystem::path hidden = hiddenTracePath(path_);
  const int descriptor = ::open(hidden.c_str(), kFlags | O_CREAT | O_TRUNC | O_NOFOLLOW, kMode);
  if (descriptor < 0) return false;
  if (own(descriptor) && writeSome(beginning) == beginning.size() &&
      rename(hidden.c_str(), path_.c_str()) == 0) {
    size_ = static_cast<int64_t>(beginning.size());
    return true;
  }
  ::unlink(hidden.c_str());
  close();
  return false;
}

Result<void> AppendFile::createInSight(std::span<const uint8_t> beginning) {
  const int descriptor = openNew(path_.c_str());
  if (descriptor < 0) return Error{"cannot be created: " + problemOf(errno)};
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor);
    return Error{"cannot be created: something other than a file is there, name another file"};
  }
  if (!own(descriptor)) {
    ::unlink(path_.c_str());
    return Error{
        "cannot be created: the program has no descriptor left for it, allow more open files "
        "(ulimit -n)"};
  }
  if (append(beginning, {}) == beginning.size()) return {};
  ::unlink(path_.c_str());
  return Error{"cannot be written: " + problem_};
}

/// Makes the new file ours. Takes the descriptor, also when it fails.
bool AppendFile::own(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) {
    ::close(descriptor);
    return false;
  }
  descriptor_ = moveUp(descriptor);
  if (descriptor_ < 0) return false;
  lock(descriptor_);
  device_ = status.st_dev;
  inode_ = status.st_ino;
  return true;
}

bool AppendFile::isOurs(int descriptor) const {
  struct stat status {};
  return fstat(descriptor, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

/// Makes sure that descriptor_ is our file.
bool AppendFile::reach() {
  if (descriptor_ >= 0 && isOurs(descriptor_)) return true;
  descriptor_ = -1;  // not closed: the number belongs to somebody else, or to nobody
  const int descriptor = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) {
    problem_ = format::describeErrorNumber(errno);
    return false;
  }
  if (!isOurs(descriptor)) {
    ::close(descriptor);
    problem_ = "another file has taken the place of the trace";
    return false;
  }
  descriptor_ = moveUp(descriptor);
  if (descriptor_ < 0) {
    problem_ = "the program has no descriptor left for the trace";
    return false;
  }
  lock(descriptor_);
  return true;
}

size_t AppendFile::writeSome(std::span<const uint8_t> bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (wrote > 0) {
      done += static_cast<size_t>(wrote);
    } else if (wrote == 0 || errno != EINTR) {
      problem_ = problemOf(wrote == 0 ? ENOSPC : errno);
      break;
    }
  }
  return done;
}

size_t AppendFile::append(std::span<const uint8_t> bytes, std::span<const size_t> boundaries) {
  if (!reach()) return 0;
  const size_t wrote = writeSome(bytes);
  if (wrote == bytes.size()) {
    size_ += static_cast<int64_t>(wrote);
    return wrote;
  }
  size_t kept = 0;
  for (const size_t boundary : boundaries) {
    if (boundary <= wrote) kept = boundary;
  }
  size_ += static_cast<int64_t>(kept);
  if (wrote > kept) cutTo(size_);
  return kept;
}

void AppendFile::cutTo(int64_t size) {
  if (!reach() || ftruncate(descriptor_, size) != 0) return;
  size_ = size;
}

}  // namespace jitscope::trace::write
