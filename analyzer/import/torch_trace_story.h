#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/import/compile_journal.h"
#include "analyzer/import/log_clock.h"
#include "analyzer/import/torch_trace_reader.h"
#include "trace/sink.h"

namespace jitscope::analyzer {

/// Turns the TORCH_TRACE records of one process into rows: frames, compilations with their phases,
/// graph breaks, recompile reasons, guards, specialised sizes and the texts that a compilation
/// makes. Records of kinds that it does not know are kept as texts if they carry one. For one
/// thread.
class TorchTraceStory {
 public:
  /// Rows go to `sink`, which must live as long as this object.
  explicit TorchTraceStory(trace::EventSink& sink) : journal_(sink), sink_(sink) {}

  void add(const TorchTraceRecord& record);

  /// Writes what is left. Gives what to add to all times of the sink: they are those of the log's
  /// lines. `fileNs` is when the file was written; 0 when not known.
  int64_t finish(int64_t fileNs);

 private:
  void addString(JsonView pair);
  void addStart(const TorchTraceRecord& record, const LoggedAt& at);
  void addMetrics(const TorchTraceRecord& record, const LoggedAt& at);
  void addOutcome(const TorchTraceRecord& record, const LoggedAt& at);
  void addRestarts(const TorchTraceRecord& record, const LoggedAt& at);
  void addBackward(const TorchTraceRecord& record, const LoggedAt& at);
  void addArtifact(const TorchTraceRecord& record, const LoggedAt& at);
  void addReasons(const TorchTraceRecord& record, const LoggedAt& at);
  void addCache(const TorchTraceRecord& record, std::string_view name, const LoggedAt& at);
  void addSpecialization(const TorchTraceRecord& record, const LoggedAt& at);
  void addShapeGuard(const TorchTraceRecord& record, const LoggedAt& at);
  void addEvent(const TorchTraceRecord& record, const LoggedAt& at);
  std::string stackOf(JsonView stack) const;
  std::string fileOf(JsonView number) const;

  CompileJournal journal_;
  trace::EventSink& sink_;
  LogClock clock_;
  trace::ProcessRow process_;
  std::map<int64_t, std::string> strings_;
  std::map<TorchCompileId, int64_t> guardStarts_;  ///< of guards that are being built
  std::map<TorchCompileId, int64_t> breakCounts_;  ///< told by artifacts
  int64_t lastNs_ = 0;
};

}  // namespace jitscope::analyzer
