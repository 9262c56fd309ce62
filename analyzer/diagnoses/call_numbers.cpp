#include "analyzer/diagnoses/call_numbers.h"

namespace jitscope::analyzer {

CallNumbers::CallNumbers(const Run& run) {
  std::vector<int64_t> counts(run.frames.size(), 0);
  numbers_.reserve(run.calls.size());
  for (const Call& call : run.calls) numbers_.push_back(++counts[position(call.frameIndex)]);
}

}  // namespace jitscope::analyzer
