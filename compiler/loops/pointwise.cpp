#include "compiler/loops/pointwise.h"

#include <algorithm>

namespace jitscope::compiler {
namespace {

/// Bool, integer, floating: a tensor without dimensions decides only about a higher kind.
int kindOf(ElementType type) { return type == ElementType::kBool ? 0 : isInteger(type) ? 1 : 2; }

ElementType typeOf(const NumberArgument& number) {
  switch (number.kind) {
    case NumberArgument::Kind::kBool:
      return ElementType::kBool;
    case NumberArgument::Kind::kInteger:
      return ElementType::kInt64;
    case NumberArgument::Kind::kReal:
      break;
  }
  return ElementType::kFloat32;  // torch's default type, which weak types fall back to
}

/// torch's rule for a strong type (of tensors with dimensions) that meets a weak one.
std::optional<ElementType> combined(std::optional<ElementType> strong,
                                    std::optional<ElementType> weak) {
  if (!strong || !weak) return strong ? strong : weak;
  return kindOf(*weak) > kindOf(*strong) ? promoted(*strong, *weak) : *strong;
}

void join(std::optional<ElementType>& into, ElementType type) {
  into = into ? promoted(*into, type) : type;
}

struct Operand {
  LoweredRef tensor;
  std::optional<NumberArgument> number;
};

std::optional<std::vector<Operand>> operandsOf(NodeLowering& node,
                                               std::initializer_list<std::string_view> names) {
  std::vector<Operand> operands;
  for (const std::string_view name : names) {
    Operand operand;
    if (const ValueId id = node.arguments.tensor(name); id != ValueId::kNone) {
      operand.tensor = node.tensor(id);
    } else {
      operand.number = node.arguments.number(name);
    }
    if (!operand.tensor && !operand.number) return std::nullopt;
    operands.push_back(std::move(operand));
  }
  if (!node.arguments.isUnderstood()) return std::nullopt;
  return operands;
}

/// The type in which operands meet; that of numbers where tensors keep their own.
ElementType meetingType(NodeLowering& node, std::initializer_list<std::string_view> names,
                        OperandType in) {
  switch (in) {
    case OperandType::kPromoted:
      return *commonType(node, names);
    case OperandType::kResult:
      return computeType(node.resultElement());
    case OperandType::kBool:
      return ElementType::kBool;
    case OperandType::kRounded:
    case OperandType::kOwn:
      break;
  }
  return node.resultElement();
}

ScalarId asBool(Body& body, ScalarId value) {
  const ElementType type = body[value].type;
  if (type == ElementType::kBool) return value;
  return body.compare(ScalarOp::kNotEqual, value, body.integer(0, type));
}

}  // namespace

ScalarId scalarOf(Body& body, const NumberArgument& number, ElementType type) {
  if (number.kind == NumberArgument::Kind::kReal) return body.real(number.real, type);
  return body.stored(body.position(number.integer), type);
}

ScalarId converted(Body& body, ScalarId value, ElementType from, ElementType to) {
  return from == to ? value : body.stored(value, to);
}

ScalarId loadBroadcast(PointBuilder& point, const LoweredRef& tensor, std::span<const Index> at) {
  const size_t missing = at.size() - tensor->sizes.size();
  std::vector<Index> coordinates(tensor->sizes.size());
  for (size_t i = 0; i < coordinates.size(); ++i) {
    coordinates[i] = tensor->sizes[i].is(1) ? Index(0) : at[missing + i];
  }
  return tensor->load(point, coordinates);
}

std::optional<ElementType> commonType(NodeLowering& node,
                                      std::initializer_list<std::string_view> names) {
  const auto operands = operandsOf(node, names);
  if (!operands) return std::nullopt;
  std::optional<ElementType> dimensioned, zeroDimensional, numbers;
  for (const Operand& operand : *operands) {
    if (operand.number) {
      join(numbers, typeOf(*operand.number));
    } else {
      join(operand.tensor->sizes.empty() ? zeroDimensional : dimensioned, operand.tensor->type);
    }
  }
  return combined(dimensioned, combined(zeroDimensional, numbers));
}

bool lowerPointwise(NodeLowering& node, std::initializer_list<std::string_view> names,
                    const PointwiseForm& form, Combine combine) {
  auto operands = operandsOf(node, names);
  if (!operands) return false;
  const ElementType result = node.resultElement();
  const ElementType meeting = meetingType(node, names, form.operands);
  std::vector<LoweredRef> tensors;
  tensors.reserve(operands->size());
  for (const Operand& operand : *operands) tensors.push_back(operand.tensor);
  const auto load = [operands = std::move(*operands), combine = std::move(combine), meeting, result,
                     in = form.operands](PointBuilder& point, std::span<const Index> at) {
    Body& body = point.body();
    std::vector<ScalarId> scalars;
    for (const Operand& operand : operands) {
      if (operand.number) {
        scalars.push_back(scalarOf(body, *operand.number, meeting));
        continue;
      }
      const ScalarId scalar = loadBroadcast(point, operand.tensor, at);
      scalars.push_back(in == OperandType::kOwn ? scalar
                        : in == OperandType::kBool
                            ? asBool(body, scalar)
                            : converted(body, scalar, operand.tensor->type, meeting));
    }
    return body.cast(combine(body, scalars), result);
  };
  node.pointwise(0, load, tensors, form.operations, form.isExpensive);
  return true;
}

}  // namespace jitscope::compiler
