#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// What torch.compile marks in a Chrome trace, gathered while it is read and put together at its
/// end: a guard check, the region that it led into, and the graph that ran there.
class CompiledSpans {
 public:
  struct Span {
    int64_t startNs = 0, endNs = 0, thread = 0;
  };

  /// Takes an event of the host if it is such a mark: "TorchDynamo Cache Lookup", "Torch-Compiled
  /// Region: F/C", "## Call CompiledFxGraph KEY ##". False for all others.
  bool take(std::string_view name, const Span& span, trace::MemoryTrace& trace);

  /// Writes regions, and calls unless they are known otherwise. A graph outside of all regions is a
  /// region of no known frame.
  void write(trace::MemoryTrace& trace, bool withCalls = true);

  /// How many regions were marked.
  int64_t regionCount() const { return static_cast<int64_t>(regions_.size()); }

 private:
  struct Region {
    Span span;
    trace::FrameId frame = trace::FrameId::kNone;
    trace::AttemptId attempt = trace::AttemptId::kNone;
    trace::StringId graph{};
  };
  struct Graph {
    Span span;
    trace::StringId key{};
  };

  void sort();
  Region* regionAround(const Span& span);
  void writeCalls(trace::MemoryTrace& trace);

  std::vector<Region> regions_;
  std::vector<Graph> graphs_;
  std::vector<Span> lookups_;
};

}  // namespace jitscope::analyzer
