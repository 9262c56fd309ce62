#pragma once

#include <cstdint>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// A guard of an entry, and how often it did not hold.
struct EntryGuard {
  trace::StringId kind{}, source{}, expression{}, stack{};
  int64_t failureCount = 0;
};

/// The guards of one entry: in the order in which they were recorded, then those that are known
/// only because they failed. Failures are counted at the guard of their kind and variable. Takes
/// time proportional to all guards and failures of the run.
std::vector<EntryGuard> guardsOf(const Run& run, const Entry& entry);

}  // namespace jitscope::analyzer
