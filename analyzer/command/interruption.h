#pragma once

#include <memory>

namespace jitscope::analyzer {

/// While one lives, Ctrl-C and a request to terminate end the process at once, but cleanly: what it
/// has not finished writing or has unpacked is removed, and the exit status is 130 or 143. A signal
/// that the parent has us ignore stays ignored. One at a time.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace jitscope::analyzer
