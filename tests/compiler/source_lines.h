#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace jitscope::compiler {

/// Whether this machine can turn addresses into source lines.
inline bool hasSourceLines() {
  static const bool has = dlopen("libdw.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
  return has;
}

}  // namespace jitscope::compiler

/// First line of a test that expects source lines.
#define NEEDS_SOURCE_LINES() \
  if (!jitscope::compiler::hasSourceLines()) GTEST_SKIP() << "libdw is not installed"
