#pragma once

#include "compiler/loops/body.h"

namespace jitscope::compiler {

/// Arithmetic on scalars of one floating type, so that formulas of rules read as such.
class ScalarMath {
 public:
  ScalarMath(Body& body, ElementType type) : body_(body), type_(type) {}

  Body& body() const { return body_; }
  ElementType type() const { return type_; }

  ScalarId number(double value) const { return body_.real(value, type_); }
  ScalarId of(const Index& value) const { return body_.cast(body_.position(value), type_); }
  ScalarId add(ScalarId a, ScalarId b) const { return body_.binary(ScalarOp::kAdd, a, b); }
  ScalarId subtract(ScalarId a, ScalarId b) const {
    return body_.binary(ScalarOp::kSubtract, a, b);
  }
  ScalarId multiply(ScalarId a, ScalarId b) const {
    return body_.binary(ScalarOp::kMultiply, a, b);
  }
  ScalarId divide(ScalarId a, ScalarId b) const { return body_.binary(ScalarOp::kDivide, a, b); }
  ScalarId maximum(ScalarId a, ScalarId b) const { return body_.binary(ScalarOp::kMaximum, a, b); }
  ScalarId minimum(ScalarId a, ScalarId b) const { return body_.binary(ScalarOp::kMinimum, a, b); }
  ScalarId less(ScalarId a, ScalarId b) const { return body_.compare(ScalarOp::kLess, a, b); }
  ScalarId lessEqual(ScalarId a, ScalarId b) const {
    return body_.compare(ScalarOp::kLessEqual, a, b);
  }
  ScalarId apply(ScalarOp op, ScalarId a) const { return body_.unary(op, a); }

 private:
  Body& body_;
  ElementType type_;
};

}  // namespace jitscope::compiler
