#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "collector/cupti/cupti_api.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// The names of CUDA's calls and of the threads that make them. For one thread.
class CallTexts {
 public:
  CallTexts(const CuptiApi& api, trace::EventSink& sink) : api_(api), sink_(sink) {}

  /// The name of a call as a person knows it.
  trace::StringId name(const CUpti_ActivityAPI& call);

  /// Writes a row of a thread that has none yet.
  void nameThread(int64_t thread);

 private:
  const CuptiApi& api_;
  trace::EventSink& sink_;
  std::unordered_map<uint64_t, trace::StringId> names_;
  std::unordered_set<int64_t> threads_;  ///< that have a row
};

}  // namespace jitscope::collector
