#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "collector/cupti/cupti_api.h"

namespace jitscope::collector {

/// Stands for CUPTI where there is no GPU: takes what is enabled, and hands out, when it is
/// flushed, the records that a test made up. There is one, as there is one CUPTI.
struct FakeCupti {
  std::string owner;  ///< another tool that has CUPTI; empty: none
  size_t dropped = 0;
  uint32_t version = CUPTI_API_VERSION;
  uint32_t device = 0;  ///< of all contexts

  std::set<int> kinds;  ///< that were enabled
  std::set<uint32_t> runtimeCalls, driverCalls;
  std::set<uint32_t> resources;      ///< whose callbacks were enabled
  std::set<uint32_t> followedCalls;  ///< of the driver, the same
  CUpti_TimestampCallbackFunc clock = nullptr;
  int bufferRequests = 0;
  std::set<const uint8_t*> buffers;  ///< that it was given

  /// Keeps a record until the next flush.
  template <class Record>
  void add(const Record& record) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&record);
    const std::lock_guard lock(mutex);
    waiting.emplace_back(bytes, bytes + sizeof record);
  }

  /// Calls the subscriber as CUPTI does when the program makes, copies or destroys what is named.
  void announceNode(uint64_t node);
  void announceClone(uint64_t node, uint64_t original);
  void announceGraphEnd(uint32_t graph);
  void announceContext(CUcontext context, bool isCreated);

  /// Calls the subscriber, if it wants to know, as CUPTI does around cudaProfilerStart or Stop.
  void announceProfiler(bool isStart);

  /// Has a function answer that.
  void fail(const std::string& function, CUptiResult result) {
    const std::lock_guard lock(mutex);
    failures[function] = result;
  }

  /// Tracers of earlier tests go on, so that the threads of several look here.
  std::mutex mutex;
  std::map<std::string, CUptiResult> failures;  ///< by function: what it answers
  std::deque<std::vector<uint8_t>> waiting;
  CUpti_BuffersCallbackRequestFunc request = nullptr;
  CUpti_BuffersCallbackCompleteFunc complete = nullptr;
  CUpti_CallbackFunc callback = nullptr;
  void* userData = nullptr;
};

/// The one of this process.
FakeCupti& fakeCupti();

/// Makes it as it was in the beginning.
void resetFakeCupti();

/// Its functions.
CuptiApi fakeCuptiApi();

/// Records with what every one of their kind has.
CUpti_ActivityKernel10 fakeKernel(const char* name, uint64_t start, uint64_t end,
                                  uint32_t correlation);
CUpti_ActivityAPI fakeCall(uint32_t call, uint64_t start, uint64_t end, uint32_t correlation,
                           uint32_t thread);

}  // namespace jitscope::collector
