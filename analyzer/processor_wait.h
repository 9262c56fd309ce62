#pragma once

#include <cstdint>

#include "analyzer/run.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {

/// What the threads of a run had of the processors, over all processes. Zeros when no recorder
/// said.
struct ProcessorWait {
  Sum runningNs;
  Sum waitingNs;  ///< ready to run, but no processor was free

  /// The part of the time, from 0 to 1, in which threads could have run and had to wait.
  double share() const;

  /// Whether threads waited for so long that measured times say little about the program.
  bool isLong() const;
};

/// What to do to have times that are reliable, after a sentence that says that they are not.
inline constexpr const char* kHowToBeReliable =
    "record again on a quiet machine or with fewer threads";

ProcessorWait processorWait(const Run& run);

}  // namespace jitscope::analyzer
