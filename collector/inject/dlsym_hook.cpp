// A program that loads LibTorch while it runs (Python imports it, a plug-in brings it) asks for a
// symbol of what it loaded next. That is the moment to look whether LibTorch has come: all
// constructors have run, and nothing of the new library's own code has.
//
// dlsym answers by who calls it (RTLD_NEXT, namespaces). So the hook must not call the real one but
// jump to it, with the caller's return address in place.
#include <dlfcn.h>

#include "collector/inject/errno_guard.h"
#include "collector/inject/original.h"
#include "collector/inject/python_start.h"
#include "collector/inject/torch_library.h"

namespace jitscope::collector {
namespace {

using Dlsym = void*(void*, const char*);

Dlsym* findOriginal() noexcept {
  // The versions that the C library has given it, newest first; a library that was built long ago
  // may have bound to the second.
  for (const char* version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"}) {
    if (void* found = dlvsym(RTLD_NEXT, "dlsym", version)) return reinterpret_cast<Dlsym*>(found);
  }
  return nullptr;
}

Dlsym* originalDlsym() noexcept {
  static constinit Dlsym* found = nullptr;  // every thread finds the same
  if (!found) found = findOriginal();
  return found;
}

}  // namespace

void* originalSymbol(const char* name) noexcept {
  // Called, not jumped to: the next one after this library is what is wanted.
  return originalDlsym()(RTLD_NEXT, name);
}

}  // namespace jitscope::collector

extern "C" {

// Gives where to jump to.
__attribute__((visibility("hidden"), used)) void* jitscopeBeforeDlsym(void* handle,
                                                                      const char* name) {
  const bool mayBeNew = handle != RTLD_DEFAULT && handle != RTLD_NEXT;
  if (mayBeNew) {
    jitscope::collector::observeTorch();
    jitscope::collector::startPythonHook(handle,
                                         name);  // after it: its operators are compiled ones
  }
  return reinterpret_cast<void*>(jitscope::collector::originalDlsym());
}
}

#if defined(__x86_64__)
asm(R"(
    .text
    .globl dlsym
    .type dlsym, @function
dlsym:
    .cfi_startproc
    endbr64
    pushq %rdi
    .cfi_adjust_cfa_offset 8
    pushq %rsi
    .cfi_adjust_cfa_offset 8
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call jitscopeBeforeDlsym
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %rsi
    .cfi_adjust_cfa_offset -8
    popq %rdi
    .cfi_adjust_cfa_offset -8
    jmp *%rax
    .cfi_endproc
    .size dlsym, .-dlsym
)");
#else
#error "dlsym needs its jump in this machine's assembly language"
#endif
