#pragma once

#include <cupti.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/sink.h"

namespace jitscope::collector {

/// The GPUs of this process and which of them each context belongs to. For one thread.
class Devices {
 public:
  /// Remembers a device until `write`.
  void add(const CUpti_ActivityDevice5& device);

  /// Writes the rows of devices that have none yet. Not before there is something else to tell: a
  /// process that only asks CUDA for its version leaves no file behind.
  void write(trace::EventSink& sink);

  void placeContext(uint32_t context, uint32_t device) { contexts_[context] = device; }

  /// The device of a context; 0 while nothing has run in it.
  int64_t ofContext(uint32_t context) const {
    const auto found = contexts_.find(context);
    return found == contexts_.end() ? 0 : found->second;
  }

 private:
  struct Waiting {
    trace::DeviceRow row;
    std::string name, uuid;
  };
  std::vector<Waiting> waiting_;
  std::unordered_map<uint32_t, uint32_t> contexts_;
};

}  // namespace jitscope::collector
