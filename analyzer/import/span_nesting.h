#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jitscope::analyzer {

/// Finds spans of user annotations (steps of the profiler, record_function) that end after the call
/// in which they began, as the Python tracer can write them. Viewers that show calls as a stack
/// drop such spans. For one thread.
class SpanNesting {
 public:
  /// A span of a thread, in nanoseconds. `annotation` is the name of one; empty for other calls.
  void add(int64_t thread, int64_t startNs, int64_t endNs, std::string_view annotation);

  /// The names of the annotations that end after the call they began in, by their starts. Nothing
  /// is found in a trace of more spans than memory should be spent on.
  std::vector<std::string> crossing();

 private:
  struct Span {
    int64_t startNs = 0, endNs = 0;
    int32_t annotation = -1;  ///< in `names_`; -1 for other calls
  };

  void addCrossing(std::vector<Span>& spans, std::vector<Span>& found) const;

  std::map<int64_t, std::vector<Span>> byThread_;
  std::vector<std::string> names_;
  size_t count_ = 0;
};

}  // namespace jitscope::analyzer
