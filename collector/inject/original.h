#pragma once

#include <dlfcn.h>

namespace jitscope::collector {

/// dlsym as the C library has it. The symbol `dlsym` itself is this library's own (dlsym_hook.cpp).
void* originalSymbol(const char* name) noexcept;

/// The function `name` that would run if this library did not define one of the same name.
template <class Function>
Function* originalFunction(const char* name) noexcept {
  return reinterpret_cast<Function*>(originalSymbol(name));
}

}  // namespace jitscope::collector
