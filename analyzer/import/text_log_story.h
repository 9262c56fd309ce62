#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/import/compile_journal.h"
#include "analyzer/import/log_clock.h"
#include "analyzer/import/text_log_reader.h"
#include "trace/sink.h"

namespace jitscope::analyzer {

/// Turns the messages of a TORCH_LOGS text log into rows, those of each rank and process into a
/// sink of their own. A process of which nothing is said that has a row gets no sink. For one
/// thread.
class TextLogStory {
 public:
  /// Gives a sink for one more process; it must live as long as this object.
  using OpenSink = std::function<trace::EventSink&()>;

  explicit TextLogStory(OpenSink openSink) : openSink_(std::move(openSink)) {}

  void add(const TextLogMessage& message);

  /// Writes what is left. Gives what to add to all times of the sinks; `fileNs` is when the file
  /// was written, 0 when not known.
  int64_t finish(int64_t fileNs);

  /// Names and numbers of what was found: recompiling, limit, graph_breaks, …
  std::vector<std::pair<std::string, int64_t>> counts() const;

 private:
  /// What one process told.
  struct Teller {
    explicit Teller(trace::EventSink& to) : sink(to), journal(to) {}
    trace::EventSink& sink;
    CompileJournal journal;
    trace::ProcessRow row;
    /// The size that a symbol of a compilation stands for.
    std::map<std::pair<TorchCompileId, std::string>, std::string> symbols;
  };
  using Moment = LoggedAt;

  Teller& tellerOf(const TextLogMessage& message, const Moment& at);
  bool addKnown(const TextLogMessage& message, const Moment& at);
  void addRecompile(const TextLogMessage& message, const Moment& at);
  void addLimit(const TextLogMessage& message, const Moment& at);
  bool addCudagraph(const TextLogMessage& message, const Moment& at);
  bool addException(const TextLogMessage& message, const Moment& at);
  void addServerStage(const TextLogMessage& message, const Moment& at);
  void addFailure(const TextLogMessage& message, const Moment& at);
  void addFatalLimit(const TextLogMessage& message, const Moment& at);
  void addConstraint(const TextLogMessage& message, const Moment& at);
  void addGuards(const TextLogMessage& message, const Moment& at);
  void addText(const TextLogMessage& message, const Moment& at, std::string_view kind,
               std::string_view name);
  void addSymbol(const TextLogMessage& message, const Moment& at);
  void addEvaluation(const TextLogMessage& message, const Moment& at);

  OpenSink openSink_;
  std::map<std::pair<int64_t, int64_t>, std::unique_ptr<Teller>> tellers_;  ///< by rank, process
  std::map<std::string, int64_t, std::less<>> counts_;
  std::set<TorchCompileId> ids_;
  std::set<int64_t> ranks_;
  std::string autotuned_;  ///< the operator of which kernels are tried
  int64_t lastNs_ = 0;
  bool hasYear_ = false;
};

}  // namespace jitscope::analyzer
