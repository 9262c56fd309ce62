#pragma once

#include "compiler/frontend/session.h"

namespace jitscope::compiler {

class Session::Busy {
 public:
  explicit Busy(Session& session) : depth_(session.run_.busyDepth) { ++depth_; }
  ~Busy() { --depth_; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

 private:
  std::atomic<int>& depth_;
};

}  // namespace jitscope::compiler
