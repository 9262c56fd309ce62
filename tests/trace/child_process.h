#pragma once

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>

namespace jitscope::trace {

/// Runs `body` in a forked child, which ends without destructors; gives the child's wait status.
template <class Body>
int statusOfChild(Body body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

/// A value that a child changes and its parent sees.
template <class Value>
class SharedWithChild {
 public:
  SharedWithChild()
      : value_(new (mmap(nullptr, sizeof(Value), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                         -1, 0)) Value()) {}
  ~SharedWithChild() { munmap(value_, sizeof(Value)); }
  SharedWithChild(const SharedWithChild&) = delete;
  SharedWithChild& operator=(const SharedWithChild&) = delete;

  Value* operator->() const { return value_; }

 private:
  Value* value_;
};

}  // namespace jitscope::trace
