#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/pointwise.h"
#include "compiler/loops/scalar_math.h"

namespace jitscope::compiler {
namespace {

using At = std::span<const Index>;

/// Casts and copies: the result has its own memory and the source's elements.
bool copyOf(NodeLowering& node, std::string_view source, bool isUserCast) {
  const LoweredRef self = node.tensor(source);
  if (!self) return false;
  const ElementType from = self->type, to = node.resultElement();
  node.pointwise(
      0,
      [self, from, to, isUserCast](PointBuilder& point, At at) {
        const ScalarId value = self->load(point, at);
        if (from == to) return value;
        // A number that the user wants in 16 bits has no more of them.
        return isUserCast ? point.body().stored(value, to) : point.body().cast(value, to);
      },
      std::vector{self}, from == to ? 0 : 1);
  return true;
}

bool toType(NodeLowering& node) {
  const ValueId self = node.arguments.tensor("self");
  if (self == ValueId::kNone || node.resultCount() != 1) return false;
  return copyOf(node, "self", true);
}

bool contiguous(NodeLowering& node) { return copyOf(node, "self", false); }

/// A tensor that holds `value` everywhere.
bool filled(NodeLowering& node, const NumberArgument& value) {
  const ElementType type = node.resultElement();
  node.pointwise(
      0, [value, type](PointBuilder& point, At) { return scalarOf(point.body(), value, type); }, {},
      0);
  return true;
}

bool full(NodeLowering& node) {
  const auto value = node.arguments.number("fill_value");
  return value && node.arguments.isUnderstood() && filled(node, *value);
}

template <int64_t kValue>
bool constant(NodeLowering& node) {
  NumberArgument value;
  value.integer = kValue;
  return filled(node, value);
}

/// start + i * step, in integers where the result is one.
bool arange(NodeLowering& node) {
  const ElementType type = node.resultElement();
  NumberArgument start, step;
  if (const auto given = node.arguments.number("start")) start = *given;
  step.integer = 1;
  if (const auto given = node.arguments.number("step")) step = *given;
  if (!node.arguments.isUnderstood() || isHalf(type)) return false;
  const bool isWhole =
      start.kind != NumberArgument::Kind::kReal && step.kind != NumberArgument::Kind::kReal;
  if (!isWhole && !isFloating(type)) return false;
  node.pointwise(
      0,
      [=](PointBuilder& point, At at) {
        Body& body = point.body();
        if (isWhole) {
          return body.cast(body.position(start.integer + at[0] * step.integer), type);
        }
        // As torch does it: in double, so that the steps do not add up their errors.
        const ScalarMath m(body, ElementType::kFloat64);
        return body.cast(m.add(scalarOf(body, start, m.type()),
                               m.multiply(m.of(at[0]), scalarOf(body, step, m.type()))),
                         type);
      },
      {}, 2);
  return true;
}

/// The element of one of several tensors that lie one after the other along `dim`.
LoweredTensor::Load concatenation(std::vector<LoweredRef> parts, size_t dim, ElementType type) {
  return [parts = std::move(parts), dim, type](PointBuilder& point, At at) {
    Body& body = point.body();
    std::vector<Index> starts(parts.size());
    for (size_t i = 1; i < parts.size(); ++i) starts[i] = starts[i - 1] + parts[i - 1]->sizes[dim];
    ScalarId value = ScalarId::kNone;
    for (size_t i = parts.size(); i-- > 0;) {
      const ScalarId place = body.position(at[dim]);
      ScalarId isHere = body.compare(ScalarOp::kLessEqual, body.position(starts[i]), place);
      if (i + 1 < parts.size()) {
        const ScalarId isBefore =
            body.compare(ScalarOp::kLess, place, body.position(starts[i + 1]));
        isHere = i == 0 ? isBefore : body.binary(ScalarOp::kAnd, isHere, isBefore);
      }
      if (parts.size() == 1) isHere = body.integer(1, ElementType::kBool);
      const ScalarId mine = point.guarded(isHere, [&] {
        std::vector<Index> source(at.begin(), at.end());
        source[dim] = source[dim] - starts[i];
        return body.cast(parts[i]->load(point, source), type);
      });
      value = value == ScalarId::kNone ? mine : body.select(isHere, mine, value);
    }
    return value;
  };
}

bool cat(NodeLowering& node) {
  constexpr size_t kMostParts = 8;
  std::vector<LoweredRef> parts = node.tensors("tensors");
  const size_t rank = node.resultSizes().size();
  for (const LoweredRef& part : parts) {
    // torch takes an empty list of numbers as a part of anything.
    if (!part || part->sizes.size() != rank) return false;
  }
  if (!node.arguments.isUnderstood() || parts.empty() || parts.size() > kMostParts) return false;
  int64_t dim = node.arguments.integer("dim", 0);
  if (dim < 0) dim += static_cast<int64_t>(rank);
  const auto operations = static_cast<int64_t>(3 * parts.size());
  node.pointwise(0, concatenation(parts, static_cast<size_t>(dim), node.resultElement()), parts,
                 operations);
  return true;
}

bool stack(NodeLowering& node) {
  constexpr size_t kMostParts = 8;
  const std::vector<LoweredRef> tensors = node.tensors("tensors");
  if (!node.arguments.isUnderstood() || tensors.empty() || tensors.size() > kMostParts)
    return false;
  int64_t dim = node.arguments.integer("dim", 0);
  if (dim < 0) dim += static_cast<int64_t>(node.resultSizes().size());
  std::vector<LoweredRef> parts;
  for (const LoweredRef& tensor : tensors) {
    if (!tensor) return false;
    auto part = std::make_shared<LoweredTensor>(*tensor);
    part->sizes.insert(part->sizes.begin() + dim, Index(1));
    part->load = [tensor, dim](PointBuilder& point, At at) {
      std::vector<Index> source(at.begin(), at.end());
      source.erase(source.begin() + dim);
      return tensor->load(point, source);
    };
    parts.push_back(std::move(part));
  }
  const auto operations = static_cast<int64_t>(3 * parts.size());
  node.pointwise(0, concatenation(parts, static_cast<size_t>(dim), node.resultElement()), parts,
                 operations);
  return true;
}

constexpr NamedRule kCreationRules[]{
    {"aten::to", toType},
    {"aten::_to_copy", toType},
    {"aten::type_as", toType},
    {"aten::clone", contiguous},
    {"aten::contiguous", contiguous},
    {"aten::full", full},
    {"aten::full_like", full},
    {"aten::new_full", full},
    {"aten::zeros", constant<0>},
    {"aten::zeros_like", constant<0>},
    {"aten::new_zeros", constant<0>},
    {"aten::ones", constant<1>},
    {"aten::ones_like", constant<1>},
    {"aten::new_ones", constant<1>},
    {"aten::arange", arange},
    {"aten::cat", cat},
    {"aten::concat", cat},
    {"aten::stack", stack},
};

}  // namespace

std::span<const NamedRule> creationRules() { return kCreationRules; }

}  // namespace jitscope::compiler
