#pragma once

namespace jitscope::trace::write {

/// What the names of the threads begin with that are ours and not the program's.
inline constexpr const char* kOwnThreads = "jitscope-";

/// Whether the program has ended all its threads, the first one too (`pthread_exit` in main), and
/// only ours are left. Without ours the process would have ended with its last thread.
bool areOnlyOwnThreadsLeft() noexcept;

/// Ends the process as the C library does when the last thread has ended, from a thread of its own:
/// exit handlers may wait for the calling one. Returns at once.
void endProcess() noexcept;

}  // namespace jitscope::trace::write
