#pragma once

#include <pthread.h>

#include <cstddef>

namespace jitscope::trace {

/// What a thread of a program commonly has: enough for the code of foreign libraries.
inline constexpr size_t kUsualStackBytes = size_t{8} << 20;

/// Starts `work(argument)` on a thread of our own in a program that is not. It takes no signals,
/// which are meant for the program's threads. Its stack has `stackBytes` and not the program's
/// limit, which may be too small to run on, or so large that a small address space has no place for
/// it; or the usual size, where the program's thread-local variables, which the C library puts
/// there too, fill that. `joined` gets the thread for who will join it; null: nobody will. False
/// when the system gives no thread.
bool startQuietThread(void* (*work)(void*), void* argument, size_t stackBytes,
                      pthread_t* joined = nullptr) noexcept;

}  // namespace jitscope::trace
