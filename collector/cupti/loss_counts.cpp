#include "collector/cupti/loss_counts.h"

#include "trace/clock.h"

namespace jitscope::collector {

void LossCounts::add(trace::LossKind kind, const char* text, int64_t amount) {
  if (amount <= 0) return;
  Counts& counts = kind == trace::LossKind::kOverhead ? overheads_ : losses_;
  counts[{kind, text}] += amount;
}

void LossCounts::write(trace::EventSink& sink) { writeAll(sink, losses_); }

void LossCounts::writeOverhead(trace::EventSink& sink) { writeAll(sink, overheads_); }

void LossCounts::writeAll(trace::EventSink& sink, Counts& counts) {
  for (const auto& [what, amount] : counts) writeLoss(sink, what.first, what.second, amount);
  counts.clear();
}

void writeLoss(trace::EventSink& sink, trace::LossKind kind, const std::string& text,
               int64_t amount) {
  trace::emit(sink, trace::LossRow{.timeNs = trace::nowNs(),
                                   .kind = kind,
                                   .place = sink.intern("GPU"),
                                   .text = sink.intern(text),
                                   .amount = amount});
}

}  // namespace jitscope::collector
