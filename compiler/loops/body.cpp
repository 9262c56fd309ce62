#include "compiler/loops/body.h"

#include <array>
#include <bit>
#include <limits>

namespace jitscope::compiler {
namespace {

// In the order of ScalarOp.
constexpr std::array<std::string_view, 55> kNames{
    "constant", "load",  "position",  "reduced", "cast",  "round",   "neg",   "abs",
    "sign",     "sqrt",  "rsqrt",     "exp",     "exp2",  "expm1",   "log",   "log2",
    "log10",    "log1p", "sin",       "cos",     "tan",   "asin",    "acos",  "atan",
    "sinh",     "cosh",  "tanh",      "erf",     "erfc",  "sigmoid", "floor", "ceil",
    "nearest",  "trunc", "not",       "isnan",   "isinf", "add",     "sub",   "mul",
    "div",      "fmod",  "remainder", "fdiv",    "pow",   "atan2",   "max",   "min",
    "eq",       "ne",    "lt",        "le",      "and",   "or",      "xor"};

uint64_t mixed(uint64_t hash, uint64_t value) {
  return (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

uint64_t hashOf(const Index& index, uint64_t hash) {
  for (const IndexTerm& term : index.terms()) {
    hash = mixed(hash, static_cast<uint64_t>(term.factor));
    for (const IndexAtom& atom : term.atoms) {
      hash = mixed(hash, static_cast<uint64_t>(atom.kind) * 64 + static_cast<uint64_t>(atom.id));
    }
  }
  return hash;
}

uint64_t hashOf(const Scalar& scalar) {
  uint64_t hash = static_cast<uint64_t>(scalar.op) * 32 + static_cast<uint64_t>(scalar.type);
  for (const ScalarId id : scalar.operands) hash = mixed(hash, static_cast<uint64_t>(id));
  hash = mixed(hash, static_cast<uint64_t>(scalar.buffer));
  hash = mixed(hash, static_cast<uint64_t>(scalar.reduction));
  hash = mixed(hash, static_cast<uint64_t>(scalar.integer));
  hash = mixed(hash, std::bit_cast<uint64_t>(scalar.real));
  return hashOf(scalar.index, hash);
}

/// As processors convert: what no int64 holds becomes the least one.
int64_t truncated(double value) {
  const bool isHeld = value >= -0x1p63 && value < 0x1p63;
  return isHeld ? static_cast<int64_t>(value) : std::numeric_limits<int64_t>::min();
}

}  // namespace

std::string_view scalarOpName(ScalarOp op) {
  return op == ScalarOp::kSelect ? "select" : kNames[static_cast<size_t>(op)];
}

bool isExpensive(ScalarOp op) {
  switch (op) {
    case ScalarOp::kExp:
    case ScalarOp::kExp2:
    case ScalarOp::kExpm1:
    case ScalarOp::kPower:
    case ScalarOp::kFmod:
    case ScalarOp::kRemainder:
    case ScalarOp::kAtan2:
      return true;
    default:
      return op >= ScalarOp::kLog && op <= ScalarOp::kSigmoid;
  }
}

std::strong_ordering Scalar::operator<=>(const Scalar& other) const {
  if (const auto order = op <=> other.op; std::is_neq(order)) return order;
  if (const auto order = type <=> other.type; std::is_neq(order)) return order;
  if (const auto order = operands <=> other.operands; std::is_neq(order)) return order;
  if (const auto order = buffer <=> other.buffer; std::is_neq(order)) return order;
  if (const auto order = reduction <=> other.reduction; std::is_neq(order)) return order;
  if (const auto order = rounding <=> other.rounding; std::is_neq(order)) return order;
  if (const auto order = integer <=> other.integer; std::is_neq(order)) return order;
  // By bits: NaN equals itself, and 0.0 is not -0.0.
  const auto bits = std::bit_cast<int64_t>(real);
  if (const auto order = bits <=> std::bit_cast<int64_t>(other.real); std::is_neq(order))
    return order;
  return index <=> other.index;
}

ScalarId Body::add(Scalar scalar) {
  const uint64_t hash = hashOf(scalar);
  const auto [begin, end] = known_.equal_range(hash);
  for (auto known = begin; known != end; ++known) {
    if (std::is_eq(scalars_[static_cast<size_t>(known->second)] <=> scalar)) return known->second;
  }
  const auto id = static_cast<ScalarId>(scalars_.size());
  scalars_.push_back(std::move(scalar));
  known_.emplace(hash, id);
  return id;
}

ScalarId Body::integer(int64_t value, ElementType type) {
  if (isFloating(type)) {
    // At once: by way of double it would be rounded twice.
    const bool isDouble = type == ElementType::kFloat64;
    return real(isDouble ? static_cast<double>(value) : static_cast<float>(value), type);
  }
  Scalar scalar;
  scalar.type = type;
  scalar.integer = held(value, type);
  return add(std::move(scalar));
}

ScalarId Body::real(double value, ElementType type) {
  if (!isFloating(type)) {
    return integer(type == ElementType::kBool ? value != 0 : truncated(value), type);
  }
  Scalar scalar;
  scalar.type = computeType(type);
  scalar.real = held(value, type);
  return add(std::move(scalar));
}

ScalarId Body::position(const Index& index) {
  if (index.isConstant()) return integer(index.constant(), ElementType::kInt64);
  Scalar scalar;
  scalar.op = ScalarOp::kPosition;
  scalar.type = ElementType::kInt64;
  scalar.index = index;
  return add(std::move(scalar));
}

ScalarId Body::load(BufferId buffer, const Index& index, ElementType stored, ScalarId condition) {
  Scalar scalar;
  scalar.op = ScalarOp::kLoad;
  scalar.type = computeType(stored);
  scalar.index = index;
  scalar.buffer = buffer;
  if (condition != ScalarId::kNone) scalar.operands.push_back(condition);
  return add(std::move(scalar));
}

ScalarId Body::reduced(ReductionId reduction, ElementType type) {
  Scalar scalar;
  scalar.op = ScalarOp::kReduced;
  scalar.type = type;
  scalar.reduction = reduction;
  return add(std::move(scalar));
}

ScalarId Body::cast(ScalarId value, ElementType type) {
  const ElementType target = computeType(type);
  const Scalar& from = (*this)[value];
  if (from.type == target) return value;
  if (from.op == ScalarOp::kConstant) {
    return isFloating(from.type) ? real(from.real, target) : integer(from.integer, target);
  }
  Scalar scalar;
  scalar.op = ScalarOp::kCast;
  scalar.type = target;
  scalar.operands = {value};
  return add(std::move(scalar));
}

ScalarId Body::stored(ScalarId value, ElementType type) {
  const Scalar& from = (*this)[value];
  if (from.op == ScalarOp::kConstant) {
    return isFloating(from.type) ? real(from.real, type) : integer(from.integer, type);
  }
  // The 16-bit types hold every integer of eight bits.
  const bool isExact = from.type <= ElementType::kInt8;
  const ScalarId converted = cast(value, type);
  if (!isHalf(type) || isExact) return converted;
  Scalar scalar;
  scalar.op = ScalarOp::kRound;
  scalar.type = ElementType::kFloat32;
  scalar.rounding = type;
  scalar.operands = {converted};
  return add(std::move(scalar));
}

ScalarId Body::unary(ScalarOp op, ScalarId operand) {
  Scalar scalar;
  scalar.op = op;
  const bool isTest = op == ScalarOp::kIsNan || op == ScalarOp::kIsInfinite;
  scalar.type = isTest ? ElementType::kBool : (*this)[operand].type;
  scalar.operands = {operand};
  return add(std::move(scalar));
}

ScalarId Body::binary(ScalarOp op, ScalarId left, ScalarId right) {
  Scalar scalar;
  scalar.op = op;
  scalar.type = (*this)[left].type;
  scalar.operands = {left, right};
  return add(std::move(scalar));
}

ScalarId Body::compare(ScalarOp op, ScalarId left, ScalarId right) {
  Scalar scalar;
  scalar.op = op;
  scalar.type = ElementType::kBool;
  scalar.operands = {left, right};
  return add(std::move(scalar));
}

ScalarId Body::select(ScalarId condition, ScalarId ifTrue, ScalarId ifFalse) {
  if (ifTrue == ifFalse) return ifTrue;
  const Scalar& known = (*this)[condition];
  if (known.op == ScalarOp::kConstant) return known.integer != 0 ? ifTrue : ifFalse;
  Scalar scalar;
  scalar.op = ScalarOp::kSelect;
  scalar.type = (*this)[ifTrue].type;
  scalar.operands = {condition, ifTrue, ifFalse};
  return add(std::move(scalar));
}

}  // namespace jitscope::compiler
