#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tests/compiler/differential.h"

namespace jitscope::compiler {

/// One line of a random program: an operation on registers.
struct Instruction {
  enum class Kind : uint8_t {
    kUnary,
    kBinary,
    kScalar,
    kMatmul,
    kView,
    kInPlace,
    kInPlaceScalar,
    kReduce,
    kCast,
    kFactory,
    kRandom,
    kCat,
    kIndexPut,
    kBreak,
    kLoop,
    kGradMode,
    kDetach,
    kRead,
    kKeep,
    kWrite,
    kPlain,
    kExplicitBreak,
    kGradient,
    kHook,
    kViewOfInput,
    kNested,
    kOptional,
    kList,
    kNoGradScope,
    kWriteToView,
    kInteger,
    kHostTensor,
    kOut,
    kSetData,
    kReadInput,
    kCount,
  };
  Kind kind = Kind::kUnary;
  int target = 0, left = 0, right = 0;  ///< registers
  int variant = 0;
  double scalar = 0;

  std::string text() const;
};

/// The tensors that runs of a program made, without keeping them alive.
class MadeTensors {
 public:
  void add(const at::Tensor& tensor) { made_.emplace_back(tensor.getIntrusivePtr()); }

  /// Whether any of them still lives.
  bool isAnyAlive() const;

 private:
  std::vector<c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>> made_;
};

/// A program over eight registers, the first ones being its inputs.
struct RandomProgram {
  static constexpr int kRegisters = 8;

  uint64_t seed = 0;
  std::vector<Instruction> instructions;
  /// How the inputs lie in memory.
  enum class Layout : uint8_t { kPlain, kViews, kOneStorage };

  int inputCount = 1;
  bool requiresGrad = false;
  Layout layout = Layout::kPlain;
  at::ScalarType dataType = at::kFloat;

  static RandomProgram generate(uint64_t seed);

  /// Runs it on LibTorch. `kept` gets what the program stores outside of itself; `call` is a number
  /// that user code may look at without any guard seeing it.
  Tensors run(const Tensors& inputs, int call, Tensors& kept, MadeTensors& made) const;
  Tensors inputs(int call) const;

  /// Whether LibTorch itself never frees what the program makes: a tensor that was saved for a
  /// backward pass, and then written to with what came out, is held by its own history. Runs the
  /// program.
  bool makesCycles() const;

  /// Whether what it does hangs on single bits of what it computed, so that results which differ by
  /// rounding lead elsewhere.
  bool readsBits() const;

  std::string text() const;

  static constexpr int kCalls = 6;
};

}  // namespace jitscope::compiler
