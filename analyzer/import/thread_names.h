#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "analyzer/import/chrome_event.h"
#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// The threads of a Chrome trace: their numbers, also of those that have a text in its place, and
/// their names.
class ThreadNames {
 public:
  /// The number of the thread that `id` tells of; texts get negative ones.
  int64_t numberOf(const JsonScalar& id);

  /// Takes what a metadata event says of a thread.
  void name(const JsonScalar& id, std::string_view name);

  /// Writes the threads that have a name and that host events named.
  void write(trace::MemoryTrace& trace) const;

 private:
  std::map<std::string, int64_t, std::less<>> textual_;
  std::map<int64_t, std::string> names_;
};

}  // namespace jitscope::analyzer
