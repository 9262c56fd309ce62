#pragma once

#include <ATen/core/Tensor.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "compiler/frontend/program.h"

/// \file
/// Compares compiled user code with the same code run plainly: results, inputs afterwards, what
/// user code kept, gradients and the generator's state must be the same bit for bit.
namespace jitscope::compiler {

using Tensors = std::vector<at::Tensor>;
using Function = std::function<Tensors(const Tensors&)>;

/// What functions without a state of their own find outside: a switch, and a place for results.
inline bool flag = false;
inline Tensors stash;

/// Makes all after the first call run under replay.
at::Tensor withBreak(const at::Tensor& x);

/// One compiled function: a program per kind of inputs, as a frame has one per entry.
class CompiledFunction {
 public:
  explicit CompiledFunction(Function function, bool hookInputs = true,
                            const std::string& backend = "eager")
      : function_(std::move(function)), hookInputs_(hookInputs), backend_(backendByName(backend)) {}

  Tensors operator()(const Tensors& inputs);

  /// Of the last call.
  const RunReport& report() const { return report_; }
  /// The program that served the last call.
  Program& program() { return *last_; }
  int64_t backendCalls() const { return *backendCalls_; }

 private:
  Program& programFor(const Tensors& inputs);

  Function function_;
  bool hookInputs_;
  Backend backend_;
  std::map<std::string, std::unique_ptr<Program>> programs_;
  Program* last_ = nullptr;
  RunReport report_;
  std::shared_ptr<int64_t> backendCalls_ = std::make_shared<int64_t>(0);
};

/// What one call did, for tests that count.
struct CallCounts {
  int64_t captured = 0, matched = 0, segmentsRun = 0, divergences = 0, breaks = 0;
};

struct DifferentialCase {
  /// Made twice: once run plainly, once compiled, each with a state of its own.
  std::function<Function()> make;
  std::function<Tensors(int call)> inputs;
  /// Whether `inputs` is asked for each of the two runs, so that views stay views.
  bool makesInputsTwice = false;
  int calls = 4;
  /// Before each of the two runs of a call.
  std::function<void(int call)> before = [](int) {};
  std::string backend = "eager";
  double tolerance = 0;  ///< of floating-point numbers, relative and absolute; 0: the same bits
  /// What user code left elsewhere, asked after each of the two runs of a call.
  std::function<Tensors()> kept = [] { return Tensors(); };
};

/// The case of a function that has no state of its own, with random inputs.
DifferentialCase stateless(Tensors (*function)(const Tensors&), int inputCount = 1, int calls = 4,
                           bool requiresGrad = false);

/// Runs the case and adds a failure for every difference. Gives the counts of each call.
std::vector<CallCounts> expectSameAsEager(const DifferentialCase& testCase);

/// The report of a sixth call of a function that has no state of its own, which is the same as
/// eager.
RunReport settledReport(Tensors (*function)(const Tensors&));

/// Whether two tensors have the same layout and the same bits.
bool isSameBits(const at::Tensor& left, const at::Tensor& right);

/// `count` random tensors of 4 by 4 that depend on `seed` alone.
Tensors randomInputs(int seed, int count = 1, bool requiresGrad = false);

}  // namespace jitscope::compiler
