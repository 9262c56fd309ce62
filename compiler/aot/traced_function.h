#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <span>
#include <vector>

#include "compiler/aot/compiled_backward.h"
#include "compiler/aot/function_trace.h"
#include "compiler/aot/partition.h"
#include "compiler/aot/step_compiler.h"

namespace jitscope::compiler {

/// A traced function whose graphs are compiled. Safe to call from several threads at once.
class TracedFunction {
 public:
  /// Has the graphs compiled; throws what the backend and the interpreter throw.
  TracedFunction(FunctionTrace trace, const StepCompiler& compiler);

  /// What the graph gave, before anybody can see that it ran.
  struct Computed {
    std::vector<at::Tensor> primals, slots;
  };

  /// Runs the forward graph. Changes nothing but random numbers. Throws Refusal when the arguments
  /// have not the common base that the trace has.
  Computed compute(std::span<const at::Tensor> arguments, std::span<const int64_t> symbols) const;

  /// Whether a backward pass of some results would bring hooks of the user's no gradient. Eagerly
  /// it does not come by them at all, so such calls are better run so.
  bool mayCallHooksInVain(std::span<const at::Tensor> arguments) const;

  /// Does to the arguments what the function does to them, and makes its outputs.
  std::vector<at::Tensor> finish(const Computed& computed,
                                 std::span<const at::Tensor> arguments) const;

  bool isRandom() const { return isRandom_; }
  /// Whether it is for calls with the same CallPlaces only.
  bool hasFixedPlaces() const { return hasFixedPlaces_; }

 private:
  struct SlotPlan {
    ValueSource source;
    bool isRepeated = false;  ///< the graph's input, or what an earlier slot is too
    bool isDifferentiable = false;
  };
  struct SavedPlan {
    enum class Kind { kPrimal, kSlot, kOwn } kind = Kind::kOwn;
    size_t index = 0;  ///< primal, slot, or output of the forward graph
    /// The primal or slot whose memory it shares: a write to that is seen by its version.
    std::optional<size_t> memoryOfPrimal, memoryOfSlot;
  };

  void planSlots(const FunctionTrace& trace, const Partition& parts);
  void findUnreached(const JointGraph& joint);
  void planSaved(const FunctionTrace& trace, const Partition& parts);
  void compileBackward(FunctionTrace& trace, Partition& parts, const StepCompiler& compiler);
  void attach(Computed& computed, std::span<const at::Tensor> given,
              std::span<const int64_t> symbols) const;

  ArgumentLayout layout_;
  std::vector<at::Tensor> constants_;
  std::vector<InputEffect> effects_;
  std::vector<OutputRecipe> outputs_;
  std::vector<SlotPlan> slots_;
  std::vector<SavedPlan> saved_;
  std::vector<size_t> inputs_;     ///< of the forward graph, among primals and constants
  std::vector<size_t> unreached_;  ///< primals that only some of the results hang on
  CompiledGraph forward_;
  std::shared_ptr<CompiledBackward> backward_;  ///< null without gradient
  bool isRandom_ = false, hasFixedPlaces_ = false;
};

}  // namespace jitscope::compiler
