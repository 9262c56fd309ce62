#include "compiler/frontend/recorded_operator.h"

#include <ATen/core/List.h>

#include <bit>

namespace jitscope::compiler {
namespace {

bool isSameReal(double left, double right) {
  return std::bit_cast<uint64_t>(left) == std::bit_cast<uint64_t>(right);
}

bool isSameRealList(const c10::IValue& left, const c10::IValue& right) {
  const auto a = left.toDoubleVector(), b = right.toDoubleVector();
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), isSameReal);
}

bool isSameList(const c10::IValue& left, const c10::IValue& right) {
  const auto a = left.toListRef(), b = right.toListRef();
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), isSameConstant);
}

}  // namespace

bool isSameConstant(const c10::IValue& left, const c10::IValue& right) {
  if (left.isInt()) return right.isInt() && left.toInt() == right.toInt();
  if (left.isNone()) return right.isNone();
  if (left.isBool()) return right.isBool() && left.toBool() == right.toBool();
  if (left.isDouble()) return right.isDouble() && isSameReal(left.toDouble(), right.toDouble());
  if (left.isIntList()) {
    return right.isIntList() && left.toDimVector() == right.toDimVector();
  }
  if (left.isDoubleList()) return right.isDoubleList() && isSameRealList(left, right);
  if (left.isBoolList()) {
    return right.isBoolList() && left.toBoolList().vec() == right.toBoolList().vec();
  }
  if (left.isString()) return right.isString() && left.toStringRef() == right.toStringRef();
  if (left.isDevice()) return right.isDevice() && left.toDevice() == right.toDevice();
  if (left.isComplexDouble()) {
    return right.isComplexDouble() &&
           isSameReal(left.toComplexDouble().real(), right.toComplexDouble().real()) &&
           isSameReal(left.toComplexDouble().imag(), right.toComplexDouble().imag());
  }
  if (left.isGenerator()) return right.isGenerator() && left.toGenerator() == right.toGenerator();
  if (left.isList()) return right.isList() && isSameList(left, right);
  return false;
}

bool isPlainConstant(const c10::IValue& constant) {
  if (constant.isList()) {
    for (const auto& element : constant.toListRef()) {
      if (!isPlainConstant(element)) return false;
    }
    return true;
  }
  return constant.isNone() || constant.isInt() || constant.isBool() || constant.isDouble() ||
         constant.isIntList() || constant.isDoubleList() || constant.isBoolList() ||
         constant.isString() || constant.isDevice() || constant.isComplexDouble();
}

std::string operatorText(const c10::OperatorHandle& op) {
  const auto& name = op.operator_name();
  return name.overload_name.empty() ? name.name : name.name + "." + name.overload_name;
}

}  // namespace jitscope::compiler
