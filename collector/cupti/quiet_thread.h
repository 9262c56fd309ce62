#pragma once

namespace jitscope::collector {

/// Starts `work(argument)` on a thread that nobody joins and that takes no signals: they are meant
/// for the program's own threads. False when it cannot be started.
bool startQuietThread(void* (*work)(void*), void* argument) noexcept;

}  // namespace jitscope::collector
