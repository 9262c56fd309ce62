#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "trace/memory_trace.h"

namespace jitscope::tests {

/// A trace in memory that any thread may write.
class SharedTrace final : public trace::EventSink {
 public:
  trace::StringId intern(std::string_view text) noexcept override {
    const std::lock_guard lock(mutex_);
    return trace_.intern(text);
  }
  void write(trace::TableId table, std::span<const int64_t> cells) noexcept override {
    const std::lock_guard lock(mutex_);
    trace_.write(table, cells);
  }
  size_t rowCount(trace::TableId table) {
    const std::lock_guard lock(mutex_);
    return trace_.rowCount(table);
  }
  /// What was written so far; later rows go into a new trace.
  trace::TraceFile take() {
    const std::lock_guard lock(mutex_);
    trace::MemoryTrace taken;
    std::swap(taken, trace_);
    return std::move(taken).finish("fake", {}, true);
  }

 private:
  std::mutex mutex_;
  trace::MemoryTrace trace_;
};

/// Keeps what threads may use until the process ends, so that no leak checker takes it for lost.
template <class Kept>
Kept& forEver(Kept* kept) {
  static auto& all = *new std::vector<Kept*>;
  all.push_back(kept);
  return *kept;
}

/// The texts of all losses, without the recorder's own time.
inline std::vector<std::string> lossTexts(const trace::TraceFile& file) {
  std::vector<std::string> texts;
  for (const trace::LossRow& row : file.rows<trace::LossRow>()) {
    if (row.kind != trace::LossKind::kOverhead) texts.emplace_back(file.text(row.text));
  }
  return texts;
}

/// The sum over the losses, or the overhead, of that text.
inline int64_t lostWith(const trace::TraceFile& file, std::string_view text) {
  int64_t amount = 0;
  for (const trace::LossRow& row : file.rows<trace::LossRow>()) {
    if (file.text(row.text) == text) amount += row.amount;
  }
  return amount;
}

/// Waits until `isDone`, which another thread makes true, for ten seconds at most.
template <class IsDone>
void waitUntil(IsDone isDone) {
  for (int i = 0; i < 1000 && !isDone(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace jitscope::tests
