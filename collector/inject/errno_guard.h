#pragma once

#include <cerrno>

/// \file
/// Manners of code that runs inside a program that did not ask for it.
namespace jitscope::collector {

/// Leaves errno as it was found.
class ErrnoGuard {
 public:
  ErrnoGuard() : before_(errno) {}
  ~ErrnoGuard() { errno = before_; }
  ErrnoGuard(const ErrnoGuard&) = delete;
  ErrnoGuard& operator=(const ErrnoGuard&) = delete;

 private:
  int before_;
};

}  // namespace jitscope::collector
