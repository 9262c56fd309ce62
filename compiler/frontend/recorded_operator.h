#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/frontend/mode_state.h"
#include "compiler/graph.h"
#include "compiler/source/user_stack.h"

namespace jitscope::compiler {

/// A tensor as a program knows it in every run: none, one of the program's inputs, or the n-th
/// value that was defined on the path from the start of user code.
class ValueRef {
 public:
  constexpr ValueRef() = default;
  static constexpr ValueRef input(size_t position) {
    return ValueRef(-2 - static_cast<int32_t>(position));
  }
  static constexpr ValueRef value(size_t number) { return ValueRef(static_cast<int32_t>(number)); }

  constexpr bool isNone() const { return code_ == -1; }
  constexpr bool isInput() const { return code_ < -1; }
  constexpr bool isValue() const { return code_ >= 0; }
  /// Position of the input or number of the value.
  constexpr size_t index() const { return static_cast<size_t>(isInput() ? -2 - code_ : code_); }

  constexpr bool operator==(const ValueRef&) const = default;
  constexpr bool operator<(const ValueRef& other) const { return code_ < other.code_; }

 private:
  constexpr explicit ValueRef(int32_t code) : code_(code) {}
  int32_t code_ = -1;
};

/// An argument of a recorded operator, in the order of its schema.
struct RecordedArgument {
  enum class Kind : uint8_t { kTensor, kTensorList, kOptionalTensorList, kConstant };
  Kind kind = Kind::kConstant;
  ValueRef tensor{};
  std::vector<ValueRef> tensors{};
  std::vector<bool> requiresGrad{};  ///< of each tensor
  c10::IValue constant{};
  /// What an integer or a list of integers is as a function of the program's symbols; empty when it
  /// is the same in every call.
  std::vector<SizeExpression> sizes{};
};

/// A result: a tensor or a list of tensors.
struct RecordedResult {
  bool isList = false;
  ValueRef tensor;
  std::vector<ValueRef> tensors;
};

/// One operator that user code called.
struct RecordedOperator {
  c10::OperatorHandle handle;
  std::vector<RecordedArgument> arguments{};
  std::vector<RecordedResult> results{};
  std::vector<ValueRef> mutated{};        ///< arguments that it writes to
  std::vector<ValueRef> mutatedOwners{};  ///< of each of them the owner of its storage
  ModeState modes{};
  UserStack stack{};
  size_t valuesAfter = 0;  ///< how many values its segment has defined when it is done
  std::vector<bool> mutatedGradients{};  ///< whether each of them required gradient afterwards
  bool isRandom = false;                 ///< it changed a generator's state
  bool hasGradient = false;              ///< an argument or a result required gradient
  bool isOutsideGraph = false;           ///< it makes memory that user code fills: run when issued
};

/// Calls `visit(ValueRef)` for every tensor argument, absent ones too.
template <class Visit>
void forEachArgument(const RecordedOperator& op, Visit&& visit) {
  for (const auto& argument : op.arguments) {
    if (argument.kind == RecordedArgument::Kind::kConstant) continue;
    if (argument.kind == RecordedArgument::Kind::kTensor) visit(argument.tensor);
    for (const auto ref : argument.tensors) visit(ref);
  }
}

/// Calls `visit(ValueRef)` for every tensor result, absent ones too.
template <class Visit>
void forEachResult(const RecordedOperator& op, Visit&& visit) {
  for (const auto& result : op.results) {
    if (!result.isList) visit(result.tensor);
    for (const auto ref : result.tensors) visit(ref);
  }
}

/// Whether two constants are the same, bit for bit for reals. Constants of kinds that have no
/// value of their own (streams, custom objects) never are.
bool isSameConstant(const c10::IValue& left, const c10::IValue& right);

/// Whether a constant can stand in a graph as a value: numbers, text, lists of them, dtypes,
/// devices, layouts, memory formats.
bool isPlainConstant(const c10::IValue& constant);

/// "aten::add.Tensor".
std::string operatorText(const c10::OperatorHandle& op);

}  // namespace jitscope::compiler
