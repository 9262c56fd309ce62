#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/input.h"
#include "trace/memory_trace.h"

namespace jitscope::analyzer {

/// What an importer makes of one file: a trace for each process that the file tells of, counts, and
/// what could not be taken. For one thread.
class Import {
 public:
  /// A further process, empty. Valid as long as this object.
  trace::MemoryTrace& addProcess() { return processes_.emplace_back(); }

  /// Adds to the count of that name; names keep the order in which they first came.
  void count(std::string_view name, int64_t amount);

  /// Sets a count that is no whole number.
  void measure(std::string_view name, double amount);

  /// Adds to the losses of that kind, place and text.
  void lose(InputLossKind kind, std::string_view place, std::string_view text, int64_t amount = 1);

  /// Says that, now that it is read, the file is none of the format: what it is follows as the
  /// importer's error.
  void refuse() { isForeign_ = true; }
  bool isForeign() const { return isForeign_; }

  /// Whether something was cut: the input is not complete.
  bool isCut() const;

  const std::vector<InputCount>& counts() const { return counts_; }
  const std::vector<InputLoss>& losses() const { return losses_; }
  std::deque<trace::MemoryTrace>& processes() { return processes_; }

 private:
  std::deque<trace::MemoryTrace> processes_;
  std::vector<InputCount> counts_;
  std::vector<InputLoss> losses_;
  bool isForeign_ = false;
};

}  // namespace jitscope::analyzer
