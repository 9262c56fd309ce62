#pragma once

namespace jitscope::collector {

/// Whether a signal's handler is among the callers. What it has interrupted may hold the locks of
/// malloc, so nothing may be allocated then. False where the stack cannot be read. Allocates
/// nothing, may be called anywhere.
bool isInsideSignalHandler() noexcept;

}  // namespace jitscope::collector
