#pragma once

#include "compiler/journal/journal.h"

namespace jitscope::compiler {

/// While one lives, what the calling thread compiles is for this segment: what a backend decides
/// can be told with it.
class CompileScope {
 public:
  explicit CompileScope(const CompilePlace& place);
  ~CompileScope();
  CompileScope(const CompileScope&) = delete;
  CompileScope& operator=(const CompileScope&) = delete;

  /// Outside of every scope: a place without numbers.
  static CompilePlace current();

 private:
  CompilePlace outer_;
};

}  // namespace jitscope::compiler
