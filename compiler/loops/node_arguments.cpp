#include "compiler/loops/node_arguments.h"

namespace jitscope::compiler {

const Argument* NodeArguments::find(std::string_view name) const {
  for (const Argument& argument : node_.arguments) {
    if (argument.name == name) return &argument;
  }
  return nullptr;
}

const Attribute* NodeArguments::attribute(std::string_view name) const {
  const Argument* argument = find(name);
  const auto* attribute = argument ? std::get_if<Attribute>(&argument->value) : nullptr;
  return attribute && !std::holds_alternative<std::monostate>(*attribute) ? attribute : nullptr;
}

bool NodeArguments::has(std::string_view name) const {
  const Argument* argument = find(name);
  if (!argument) return false;
  if (const auto* id = std::get_if<ValueId>(&argument->value)) return *id != ValueId::kNone;
  return std::holds_alternative<std::vector<ValueId>>(argument->value) || attribute(name);
}

ValueId NodeArguments::tensor(std::string_view name) {
  const Argument* argument = find(name);
  if (!argument) return ValueId::kNone;
  const auto* id = std::get_if<ValueId>(&argument->value);
  return id ? *id : ValueId::kNone;
}

std::vector<ValueId> NodeArguments::tensors(std::string_view name) {
  const Argument* argument = find(name);
  const auto* list = argument ? std::get_if<std::vector<ValueId>>(&argument->value) : nullptr;
  if (!list) isUnderstood_ = false;
  return list ? *list : std::vector<ValueId>();
}

std::optional<NumberArgument> NodeArguments::number(std::string_view name) {
  const Attribute* value = attribute(name);
  if (!value) return std::nullopt;
  NumberArgument number;
  if (const auto* flag = std::get_if<bool>(value)) {
    number.kind = NumberArgument::Kind::kBool;
    number.integer = *flag ? 1 : 0;
  } else if (const auto* integer = std::get_if<SizeExpression>(value)) {
    number.integer = Index::of(*integer);
  } else if (const auto* real = std::get_if<double>(value)) {
    number.kind = NumberArgument::Kind::kReal;
    number.real = *real;
  } else {
    isUnderstood_ = false;
    return std::nullopt;
  }
  return number;
}

double NodeArguments::real(std::string_view name, double otherwise) {
  const auto value = number(name);
  if (!value) return otherwise;
  if (value->kind == NumberArgument::Kind::kReal) return value->real;
  if (!value->integer.isConstant()) isUnderstood_ = false;
  return value->integer.isConstant() ? static_cast<double>(value->integer.constant()) : otherwise;
}

std::optional<Index> NodeArguments::index(std::string_view name) {
  const auto value = number(name);
  if (!value) return std::nullopt;
  if (value->kind == NumberArgument::Kind::kReal) isUnderstood_ = false;
  return value->integer;
}

int64_t NodeArguments::integer(std::string_view name, int64_t otherwise) {
  const auto value = index(name);
  if (!value) return otherwise;
  if (!value->isConstant()) isUnderstood_ = false;
  return value->isConstant() ? value->constant() : otherwise;
}

bool NodeArguments::boolean(std::string_view name, bool otherwise) {
  const Attribute* value = attribute(name);
  if (!value) return otherwise;
  if (const auto* flag = std::get_if<bool>(value)) return *flag;
  isUnderstood_ = false;
  return otherwise;
}

std::string_view NodeArguments::text(std::string_view name, std::string_view otherwise) {
  const Attribute* value = attribute(name);
  if (!value) return otherwise;
  if (const auto* text = std::get_if<std::string>(value)) return *text;
  isUnderstood_ = false;
  return otherwise;
}

std::optional<DataType> NodeArguments::dataType(std::string_view name) {
  const Attribute* value = attribute(name);
  if (!value) return std::nullopt;
  if (const auto* type = std::get_if<DataType>(value)) return *type;
  isUnderstood_ = false;
  return std::nullopt;
}

std::optional<std::vector<int64_t>> NodeArguments::integers(std::string_view name) {
  const Attribute* value = attribute(name);
  if (!value) return std::nullopt;
  std::vector<SizeExpression> list;
  if (const auto* single = std::get_if<SizeExpression>(value))
    list.push_back(*single);
  else if (const auto* several = std::get_if<std::vector<SizeExpression>>(value))
    list = *several;
  else
    isUnderstood_ = false;
  std::vector<int64_t> numbers;
  for (const SizeExpression& size : list) {
    if (!size.isConstant()) isUnderstood_ = false;
    numbers.push_back(size.offset);
  }
  return numbers;
}

}  // namespace jitscope::compiler
