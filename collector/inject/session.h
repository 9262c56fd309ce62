#pragma once

#include <span>
#include <string_view>

#include "trace/row_time.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// The recording of this process: the sink into which every producer of the process writes. The
/// file is opened by the first row, so a process that has nothing to tell gets no thread and no
/// descriptor. After a fork the child records into a file of its own, and ids that texts were given
/// before stay right. Any thread; nothing escapes, errno stays as it was.
class Session final : public trace::EventSink {
 public:
  trace::StringId intern(std::string_view text) noexcept override;
  void write(trace::TableId table, std::span<const int64_t> cells) noexcept override;

  /// Writes the row of an event that counts, where only windows are recorded, by the time of the
  /// call that caused it.
  void write(trace::TableId table, std::span<const int64_t> cells,
             const trace::RowTime& caused) noexcept;

  /// Has a flight recorder, if this process keeps one, write what just happened.
  void trigger(std::string_view reason) noexcept;
};

/// The one session of this process. Lives until the process ends.
Session& session();

/// Makes the session ready to record into `recordingFolder`; null or empty: to record nothing. A
/// program to `leaveAlone` runs undisturbed and leaves a file that says so when it ends. Call
/// once, when the library is loaded.
void prepareSession(const char* recordingFolder, bool leaveAlone = false);

/// Whether this process is to be recorded at all.
bool isRecording();

/// Opens the trace file if that has not been done. Gives false when nothing is recorded any more.
bool openSession() noexcept;

/// Has `words` called before the session ends, by a thread of the session's own, while rows are
/// still taken. The last one to be added is called first. There is place for a few; beyond, false.
using LastWords = void (*)();
bool atEndOfSession(LastWords words) noexcept;

/// How a program leaves, which decides what it leaves behind.
enum class End {
  kExit,           ///< orderly: a file even when there was nothing to tell
  kImmediateExit,  ///< `_exit`: a forked child that had nothing to tell leaves nothing
  kExec,           ///< another program takes the process over: nothing if there was nothing to tell
};

/// Ends the recording: all rows and the index are in the file when this returns. Waits for a
/// bounded time, for it may be called where the interrupted code holds locks (an exit from a
/// signal's handler); what is not written by then is as in a killed process.
void endSession(End end) noexcept;

/// Lets a program whose exec has failed go on recording, into another file.
void resumeSession() noexcept;

}  // namespace jitscope::collector
