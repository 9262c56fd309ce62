#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "trace/schema.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// What the GPU's side of a recording does not hold, and the time that recording took, counted
/// until `write`. For one thread.
class LossCounts {
 public:
  /// `text` says what was lost; the same text adds up. It must live as long as the program.
  void add(trace::LossKind kind, const char* text, int64_t amount = 1);

  /// Writes the losses that came since the last time as rows of the loss table.
  void write(trace::EventSink& sink);

  /// The same for the time that recording took, which is only told as a whole.
  void writeOverhead(trace::EventSink& sink);

 private:
  using Counts = std::map<std::pair<trace::LossKind, std::string>, int64_t>;

  static void writeAll(trace::EventSink& sink, Counts& counts);

  Counts losses_;
  Counts overheads_;
};

/// Writes one row that tells what is missing and why.
void writeLoss(trace::EventSink& sink, trace::LossKind kind, const std::string& text,
               int64_t amount);

}  // namespace jitscope::collector
