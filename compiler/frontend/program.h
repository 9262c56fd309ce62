#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/backend.h"
#include "compiler/errors.h"
#include "compiler/journal/journal.h"
#include "compiler/source/user_stack.h"

/// \file
/// The engine under a compiled frame: one Program per entry. It captures the operators of user code
/// into segments while the code really runs, has them compiled, and on later calls runs the
/// compiled segments under positional replay, or the one graph of a break-free function alone.
namespace jitscope::compiler {

/// What a program must know about the entry that it serves.
struct ProgramContext {
  FrameName frame;
  CompileId id;
  Backend backend;
  bool fullgraph = false;  ///< throw GraphBreakError at the first break
  bool hookInputs = true;  ///< make raw access to inputs visible too (those without gradient)
  size_t childLimit = 8;   ///< continuations kept after one segment; beyond it code runs eagerly
};

/// A tensor that every call brings: an argument, a module's parameter, a guarded value.
struct ProgramInput {
  std::string source;        ///< "L['x']", "L['self'].weight"
  bool isParameter = false;  ///< size and identity are static
  bool isArgument = true;    ///< user code gets it from the caller, so that a stand-in may be given
};

/// A dimension of an input.
struct SizePosition {
  size_t input = 0;
  size_t dimension = 0;
  std::string source;  ///< "L['x'].size()[0]"
};

/// A size that varies between the calls of one entry.
struct ProgramSymbol {
  std::string source;  ///< "L['x'].size()[0]"
  static constexpr size_t kScalar = static_cast<size_t>(-1);
  size_t input = 0;             ///< which input; kScalar: an integer argument, not a size
  size_t dimension = 0;         ///< which of its dimensions
  bool isMarkedByUser = false;  ///< then not being able to keep it dynamic is an error
  int64_t minimum = 2;
  int64_t maximum = std::numeric_limits<int64_t>::max();
  std::vector<SizePosition> alsoAt;  ///< other sizes, equal to this one in each call
};

/// A size of a dynamic dimension that became a constant, or that user code read.
struct Specialization {
  std::string source;  ///< "L['x'].size()[0]"
  int64_t value = 0;
  std::string reason;
  UserStack stack;
};

/// How sure a program is of its symbols.
enum class Generality {
  kStatic,      ///< no symbols
  kHypothesis,  ///< guessed from one sample; the next other size captures again and confirms
  kConfirmed,   ///< explained two samples
  kFailed,      ///< could not be explained: the program fits only the sizes of its last capture
};

/// What happened in one run.
struct RunReport {
  int64_t opsCaptured = 0, opsMatched = 0;
  int64_t segmentsCompiled = 0, segmentsRun = 0;
  int64_t breaks = 0, divergences = 0;
  int64_t backendNs = 0;   ///< inside the backend
  int64_t captureNs = 0;   ///< recording beyond running the operators; 0 when nothing records
  std::string divergence;  ///< text of the first one
  int64_t segmentsNotCompiled = 0;  ///< known ones that ran operator by operator
  std::string notCompiled;          ///< why the first of them did
};

/// User code, called exactly once per run: it gets the tensors to use in place of the inputs (the
/// same ones unless hooked) and fills in the tensors of its result.
using UserCode =
    std::function<void(std::span<const at::Tensor> inputs, std::vector<at::Tensor>& results)>;

/// One entry's learned operator streams. Safe to use from several threads at once: what is learned
/// is published when a run ends, and user code runs without any lock.
class Program {
 public:
  Program(ProgramContext context, std::vector<ProgramInput> inputs,
          std::vector<ProgramSymbol> symbols);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// Takes the segments of another program of the same frame as second sample for this one's
  /// symbols. `values` are this program's symbols in the call that the sample was captured in; each
  /// differs from its value in the coming run. The sample may have symbols of its own.
  void learnFrom(const Program& sample, std::vector<int64_t> values);

  /// Runs user code: known operators are replayed, new ones captured and compiled. What user code
  /// throws leaves unchanged, with nothing half recorded. `symbols` are the values of the symbols
  /// declared at construction. `results` is what user code fills; the program may replace tensors
  /// in it after user code returned (a hooked input by the input itself).
  RunReport run(std::span<const at::Tensor> inputs, std::span<const int64_t> symbols,
                const UserCode& userCode, std::vector<at::Tensor>& results);

  /// Whether the last complete capture was one segment without break whose results come only from
  /// inputs, whose operators read no tensor from outside, and whose user code read no dynamic size:
  /// then its graph alone stands for user code that has no other effect and state. Cheap: one
  /// atomic load.
  bool isSelfContained() const;

  /// Runs the graph of a self-contained program without user code, for inputs that the entry's
  /// guards accepted. Gives the tensors of the result in the order in which user code gave them;
  /// inputs that are results come back as the same tensor. Must only be called while
  /// isSelfContained().
  std::vector<at::Tensor> runGraph(std::span<const at::Tensor> inputs,
                                   std::span<const int64_t> symbols, RunReport& report);

  /// To be called by user code under capture: `tensor` is a value that the caller will bring as one
  /// more input from the next run on. Gives its position. Outside of a capture by this thread: -1.
  static int64_t addInput(const ProgramInput& input, const at::Tensor& tensor);

  Generality generality() const;
  std::vector<Specialization> specializations() const;

  /// The segments in the order of their first capture, for explain and tests.
  struct SegmentView {
    trace::SegmentId id{};
    Graph graph;
    bool endsInBreak = false;
    BreakReason reason;  ///< when it ends in a break
    UserStack breakStack;
    std::string plainReason;  ///< why a replay runs it operator by operator; empty when it does not
  };
  std::vector<SegmentView> segments() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What the calling thread is doing.
enum class CaptureState {
  kNone,       ///< plain code
  kCapturing,  ///< in user code whose operators are recorded
  kReplaying,  ///< in user code whose operators are matched
  kInternal,   ///< inside the engine itself, or in an operator's own implementation
};

/// What it is doing now; kNone outside of every compiled function. Cheap.
CaptureState captureState();

/// Breaks the graph here if this thread is in user code of a program; else does nothing.
void breakGraph(const BreakReason& reason);

/// While one lives, the calling thread's operators run as without jitscope: no capture, no
/// matching. Inside user code of a program, breaks the graph first.
class PlainScope {
 public:
  explicit PlainScope(const BreakReason& reason);
  ~PlainScope();
  PlainScope(const PlainScope&) = delete;
  PlainScope& operator=(const PlainScope&) = delete;

 private:
  void* session_ = nullptr;
};

}  // namespace jitscope::compiler
