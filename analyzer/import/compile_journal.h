#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "analyzer/import/break_message.h"
#include "analyzer/import/compile_id.h"
#include "analyzer/import/frame_numbers.h"
#include "analyzer/import/guard_tree.h"
#include "analyzer/import/recompile_reason.h"
#include "trace/schema.h"
#include "trace/sink.h"

namespace jitscope::analyzer {

/// When and where a log said something.
struct LoggedAt {
  int64_t timeNs = 0;
  int64_t thread = 0;
};

/// Gathers what the logs of one process tell of its compilations, in whatever order and however
/// often they tell it, and writes it as rows of a trace. Functions of logs that give no compile ids
/// get numbers behind those that have one. For one thread.
class CompileJournal {
 public:
  /// Rows go to `sink`, which must live as long as the journal.
  explicit CompileJournal(trace::EventSink& sink) : sink_(sink) {}

  /// Says what the frame of `id` is called; what is told first stays unless `isSure`.
  void nameFrame(const TorchCompileId& id, const FunctionPlace& function, bool isSure = false);

  /// The compilation of that id, which must be told, for filling in. It is made at `at`.
  trace::CompileRow& compile(const TorchCompileId& id, const LoggedAt& at);

  /// Whether a compilation of that id is known.
  bool knows(const TorchCompileId& id) const;

  /// A frame compiles again because these guards failed. `function` names it where there is no id.
  void addRecompile(const TorchCompileId& id, const FunctionPlace& function,
                    const std::vector<RecompileReason>& reasons, const LoggedAt& at);

  /// A frame would have compiled again but had reached its limit; the call ran eagerly.
  void addLimit(const TorchCompileId& id, const FunctionPlace& function,
                const std::vector<RecompileReason>& reasons, const LoggedAt& at);

  void addBreak(const TorchCompileId& id, BreakMessage message, const LoggedAt& at);

  /// A text that belongs to a compilation, or to none when the id is not told.
  void addArtifact(const TorchCompileId& id, std::string_view kind, std::string_view name,
                   std::string_view content, const LoggedAt& at);

  void addGuards(const TorchCompileId& id, const std::vector<LoggedGuard>& guards);

  /// A guard on sizes, told where it was made; of a frame that is not told when the id is not.
  void addShapeGuard(const TorchCompileId& id, LoggedGuard guard);

  /// A size that became a constant, of a frame that is not told when the id is not.
  void addSpecialization(const TorchCompileId& id, trace::SpecializationRow row);

  /// A compilation that was given up, of a frame that is not told when the id is not. `broken` is
  /// the graph break that was not allowed, if that is why.
  void addFailure(const TorchCompileId& id, std::string_view failure, const LoggedAt& at,
                  std::optional<BreakMessage> broken = std::nullopt);

  /// Whether the call of that id was refused a compilation.
  bool isRefused(const TorchCompileId& id) const;

  /// How many different graph breaks were told.
  int64_t breakCount() const { return static_cast<int64_t>(breaks_.size()); }

  trace::StringId intern(std::string_view text) { return sink_.intern(text); }

  /// Writes what is left. Nothing may be added afterwards.
  void finish();

 private:
  /// A frame by its number, or by its function where logs give none.
  struct FrameRef {
    int64_t frame = -1;
    FunctionPlace function;
  };
  /// A call that no entry could serve.
  struct Miss {
    FrameRef frame;
    int64_t attempt = -1;  ///< the compilation that it led or would have led to
    bool isRefused = false;
    std::vector<RecompileReason> reasons;
    LoggedAt at;
  };
  struct Break {
    FrameRef frame;
    int64_t attempt = -1;
    BreakMessage message;
    LoggedAt at;
  };
  using Key = std::pair<int64_t, int64_t>;  ///< frame and attempt
  using BreakKey = std::tuple<int64_t, int64_t, std::string>;

  /// A compilation that was given up.
  struct Failure {
    TorchCompileId id;
    std::string text;
    LoggedAt at;
    std::optional<BreakMessage> broken;
  };

  int64_t frameNumber(const FrameRef& ref);
  void writeFrames();
  void placeFailures();
  void writeBreaks();
  void writeShapeGuards();
  void writeGuard(const TorchCompileId& id, const LoggedGuard& guard);
  void writeMisses();
  void writeMiss(const Miss& miss, int64_t frame, int64_t attempt);
  void numberAttempts();
  void fillActuals();

  trace::EventSink& sink_;
  FrameNumbers frames_;
  std::map<Key, trace::CompileRow> compiles_;
  std::vector<Miss> misses_;
  std::map<Key, size_t> missOf_;  ///< the latest in `misses_` of a numbered compilation
  std::vector<Failure> failures_;
  std::vector<trace::SpecializationRow> specializations_;
  std::map<std::tuple<int64_t, int64_t, uint64_t, int64_t>, size_t> specializationAt_;
  std::vector<std::pair<TorchCompileId, LoggedGuard>> shapeGuards_;
  std::map<Key, int64_t> guardCounts_;  ///< guards that are written
  std::vector<Break> breaks_;
  std::map<BreakKey, size_t> breakAt_;  ///< the latest in `breaks_` of a compilation and place
};

}  // namespace jitscope::analyzer
