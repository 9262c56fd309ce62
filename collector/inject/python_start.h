#pragma once

namespace jitscope::collector {

/// To be called when the program asks the library `handle` for the symbol `name`. When that is
/// Python importing torch's own library, runs the package jitscope_hook in the interpreter, on this
/// thread, which holds its lock: torch is mapped by then, and none of its code that would have to
/// be watched has run. Cheap in all other cases. Nothing escapes; an interpreter that is not as
/// expected is left alone.
void startPythonHook(void* handle, const char* name) noexcept;

}  // namespace jitscope::collector
