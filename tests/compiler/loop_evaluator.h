#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// Runs loop programs point by point in double: slow, and too plain to be wrong. What kernels and
/// fused nests compute is held against it.
class LoopEvaluator {
 public:
  LoopEvaluator(const LoopProgram& program, std::vector<int64_t> symbols)
      : program_(program), symbols_(std::move(symbols)) {}

  /// The elements of a buffer, by address.
  std::vector<double>& memory(BufferId id) {
    auto& elements = memory_[id];
    if (elements.empty()) elements.assign(extent(id), std::numeric_limits<double>::quiet_NaN());
    return elements;
  }

  void run(const LoopNest& nest) {
    nest_ = &nest;
    reduced_.clear();
    forEachPoint(0, nest.sizes.size(), [&] {
      values_.clear();
      for (const LoopStore& store : nest.stores) {
        const int64_t address = at(store.address);
        memory(store.buffer).at(static_cast<size_t>(address)) = value(store.value);
      }
    });
    // A row without elements has results all the same.
    if (nest.hasReduction() && innerCount() == 0) {
      forEachPoint(0, nest.outerCount, [&] {
        values_.clear();
        for (const LoopStore& store : nest.stores) {
          if (store.isInner) continue;
          memory(store.buffer).at(static_cast<size_t>(at(store.address))) = value(store.value);
        }
      });
    }
  }

 private:
  size_t extent(BufferId id) const {
    const LoopBuffer& buffer = program_.buffer(id);
    int64_t last = 0;
    for (size_t i = 0; i < buffer.sizes.size(); ++i) {
      last += (buffer.sizes[i].evaluate(symbols_) - 1) * buffer.strides[i].evaluate(symbols_);
    }
    return static_cast<size_t>(std::max<int64_t>(last, 0)) + 1;
  }

  int64_t innerCount() const { return productOf(nest_->inner()).evaluate(symbols_); }

  template <class Visit>
  void forEachPoint(size_t loop, size_t end, const Visit& visit) {
    loops_.resize(std::max(loops_.size(), nest_->sizes.size()));
    if (loop == end) return visit();
    const int64_t size = nest_->sizes[loop].evaluate(symbols_);
    for (int64_t i = 0; i < size; ++i) {
      loops_[loop] = i;
      forEachPoint(loop + 1, end, visit);
    }
  }

  int64_t at(const Index& index) {
    return index.evaluate(symbols_, loops_,
                          [&](ScalarId id) { return static_cast<int64_t>(value(id)); });
  }

  double value(ScalarId id) {
    const auto known = values_.find(id);
    if (known != values_.end()) return known->second;
    const double computed = compute(program_.body[id]);
    values_[id] = computed;
    return computed;
  }

  /// A reduction at this point of the outer loops, computed once for it.
  double reducedHere(ReductionId id) {
    std::vector<int64_t> key(loops_.begin(),
                             loops_.begin() + static_cast<std::ptrdiff_t>(nest_->outerCount));
    key.push_back(static_cast<int64_t>(id));
    const auto known = reduced_.find(key);
    if (known != reduced_.end()) return known->second;
    const double result = reduced(program_.reduction(id));
    reduced_[key] = result;
    return result;
  }

  double reduced(const LoopReduction& reduction) {
    const auto saved = loops_;
    auto outerValues = std::move(values_);
    double result =
        reduction.op == ReductionOp::kMaximum   ? -std::numeric_limits<double>::infinity()
        : reduction.op == ReductionOp::kMinimum ? std::numeric_limits<double>::infinity()
        : reduction.op == ReductionOp::kProduct || reduction.op == ReductionOp::kAll ? 1
                                                                                     : 0;
    forEachPoint(nest_->outerCount, nest_->sizes.size(), [&] {
      values_.clear();
      const double x = value(reduction.input);
      switch (reduction.op) {
        case ReductionOp::kSum:
          result += x;
          break;
        case ReductionOp::kProduct:
          result *= x;
          break;
        case ReductionOp::kMaximum:
          result = x > result || x != x ? x : result;
          break;
        case ReductionOp::kMinimum:
          result = x < result || x != x ? x : result;
          break;
        case ReductionOp::kAny:
          result = result != 0 || x != 0;
          break;
        case ReductionOp::kAll:
          result = result != 0 && x != 0;
          break;
      }
    });
    loops_ = saved;
    values_ = std::move(outerValues);
    return result;
  }

  double compute(const Scalar& scalar) {
    switch (scalar.op) {
      case ScalarOp::kConstant:
        return isFloating(scalar.type) ? scalar.real : static_cast<double>(scalar.integer);
      case ScalarOp::kLoad:
        if (!scalar.operands.empty() && value(scalar.operands[0]) == 0) return 0;
        return memory(scalar.buffer).at(static_cast<size_t>(at(scalar.index)));
      case ScalarOp::kPosition:
        return static_cast<double>(at(scalar.index));
      case ScalarOp::kReduced:
        return reducedHere(scalar.reduction);
      case ScalarOp::kSelect:
        return value(scalar.operands[value(scalar.operands[0]) != 0 ? 1 : 2]);
      default:
        break;
    }
    const double x = value(scalar.operands[0]);
    if (scalar.operands.size() == 1) return unary(scalar, x);
    return binary(scalar.op, x, value(scalar.operands[1]));
  }

  static double unary(const Scalar& scalar, double x) {
    switch (scalar.op) {
      case ScalarOp::kCast:
        if (scalar.type == ElementType::kBool) return x != 0;
        return isFloating(scalar.type) ? x : std::trunc(x);
      case ScalarOp::kRound:
        return x;
      case ScalarOp::kNegate:
        return -x;
      case ScalarOp::kAbs:
        return std::abs(x);
      case ScalarOp::kSqrt:
        return std::sqrt(x);
      case ScalarOp::kRsqrt:
        return 1 / std::sqrt(x);
      case ScalarOp::kExp:
        return std::exp(x);
      case ScalarOp::kLog:
        return std::log(x);
      case ScalarOp::kSin:
        return std::sin(x);
      case ScalarOp::kCos:
        return std::cos(x);
      case ScalarOp::kTanh:
        return std::tanh(x);
      case ScalarOp::kErf:
        return std::erf(x);
      case ScalarOp::kSigmoid:
        return 1 / (1 + std::exp(-x));
      case ScalarOp::kNot:
        return x == 0;
      case ScalarOp::kIsNan:
        return x != x;
      case ScalarOp::kIsInfinite:
        return std::isinf(x);
      default:
        throw std::logic_error("the evaluator does not know " +
                               std::string(scalarOpName(scalar.op)));
    }
  }

  static double binary(ScalarOp op, double x, double y) {
    switch (op) {
      case ScalarOp::kAdd:
        return x + y;
      case ScalarOp::kSubtract:
        return x - y;
      case ScalarOp::kMultiply:
        return x * y;
      case ScalarOp::kDivide:
        return x / y;
      case ScalarOp::kMaximum:
        return x > y || x != x ? x : y;
      case ScalarOp::kMinimum:
        return x < y || x != x ? x : y;
      case ScalarOp::kEqual:
        return x == y;
      case ScalarOp::kNotEqual:
        return x != y;
      case ScalarOp::kLess:
        return x < y;
      case ScalarOp::kLessEqual:
        return x <= y;
      case ScalarOp::kAnd:
        return x != 0 && y != 0;
      case ScalarOp::kOr:
        return x != 0 || y != 0;
      default:
        throw std::logic_error("the evaluator does not know " + std::string(scalarOpName(op)));
    }
  }

  const LoopProgram& program_;
  const std::vector<int64_t> symbols_;
  const LoopNest* nest_ = nullptr;
  std::map<BufferId, std::vector<double>> memory_;
  std::vector<int64_t> loops_;
  std::map<ScalarId, double> values_;
  std::map<std::vector<int64_t>, double> reduced_;
};

}  // namespace jitscope::compiler
