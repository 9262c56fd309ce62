#pragma once

#include <semaphore.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>

#include "collector/inject/processor_use.h"
#include "trace/writer.h"

namespace jitscope::collector {

/// What one process knows about its own recording. Lies in memory that the kernel hands to a forked
/// child as zeros, so a child starts afresh however it was forked and never touches what belongs to
/// its parent: not its locks, not its file.
struct ProcessState {
  enum Phase : uint32_t {
    kFresh = 0,    ///< no file yet
    kOpening = 1,  ///< one thread is about to open it
    kOpen = 2,
    kClosing = 3,  ///< last rows are being written
    kEnded = 4,    ///< closed, or could not be opened: nothing is recorded any more
  };

  std::atomic<uint32_t> phase;
  std::atomic<trace::FileWriter*> writer;
  std::atomic<int64_t> sessionId;  ///< unlike that of every other session of this run
  std::atomic<bool> hasEvents;  ///< something other than the description of the process was written
  std::atomic<bool> isImage;  ///< the library was loaded into this process; false in a fork's child
  std::atomic<pid_t> pid;     ///< 0: a child whose fork handlers did not run
  sem_t closeWanted;
  sem_t closed;
  char path[4096];  ///< of the trace file
  ProcessorUse useAtOpening;
};

/// The state of this process. Never fails: without the memory that zeroes itself, fork handlers
/// clear it.
ProcessState& processState();

/// Prepares the state of a process that was just loaded. Call once, before any other thread.
void prepareProcessState();

/// Whether this code runs in the process that the state describes. False in a child that shares its
/// parent's memory (vfork): such a child must leave everything alone.
bool ownsProcessState();

}  // namespace jitscope::collector
