#pragma once

#include <cstdint>
#include <string>

namespace jitscope::collector {

/// What a flight recorder keeps, and what makes it write.
struct FlightPlan {
  int64_t beforeNs = 0;    ///< how much of the past a window shows; 0: no flight recorder
  int64_t afterNs = 0;     ///< and how much of what follows
  int64_t slowCallNs = 0;  ///< a call that took longer triggers; 0: none does
  bool onRecompile = false, onLimit = false;
  int64_t mostWindows = 20;                  ///< files of one process; the oldest goes first
  int64_t memoryBytes = int64_t{128} << 20;  ///< of one process
};

/// When the processes of a recording are recorded. By default: all the time.
struct WindowPlan {
  int64_t firstNs = 0;                  ///< when the first window begins, as a time; 0: at once
  int64_t durationNs = 0;               ///< after which a window ends; 0: it does not
  int64_t firstStep = 0, lastStep = 0;  ///< from 1, both included; 0: steps do not matter
  bool isPaused = false;                ///< nothing is recorded until somebody asks for it
  bool hasSignal = false;               ///< the launcher flips SharedSwitch
  std::string nvtxRange;                ///< ranges of this name are windows; empty: of none
  std::string wish;                     ///< in the user's words
  FlightPlan flight;

  /// Whether a process is recorded in windows, or one day may be, other than by its own will.
  bool isWindowed() const {
    return !isFlight() && (firstNs > 0 || durationNs > 0 || firstStep > 0 || isPaused ||
                           hasSignal || !nvtxRange.empty());
  }
  bool isFlight() const { return flight.beforeNs > 0; }
};

/// The plan as one line, for the environment of the recorded program.
std::string planText(const WindowPlan& plan);

/// Reads what planText wrote; unknown words are passed over. Null or damaged text: the default.
WindowPlan planOf(const char* text);

}  // namespace jitscope::collector
