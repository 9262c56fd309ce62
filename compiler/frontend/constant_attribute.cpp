#include "compiler/frontend/constant_attribute.h"

#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>

#include <sstream>

namespace jitscope::compiler {
namespace {

c10::TypeKind elementKind(const c10::Argument& argument) {
  const c10::Type* type = argument.real_type().get();
  while (type->kind() == c10::TypeKind::OptionalType) {
    type = type->castRaw<c10::OptionalType>()->getElementType().get();
  }
  return type->kind();
}

template <class T>
std::string printed(T value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

Attribute integerAttribute(int64_t value, const c10::Argument& argument) {
  switch (elementKind(argument)) {
    case c10::TypeKind::ScalarTypeType:
      return static_cast<DataType>(value);
    case c10::TypeKind::LayoutType: {
      // Printed as "Strided"; Python says torch.strided.
      std::string name = printed(static_cast<c10::Layout>(value));
      for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
      return LayoutName{"torch." + name};
    }
    case c10::TypeKind::MemoryFormatType: {
      switch (static_cast<c10::MemoryFormat>(value)) {
        case c10::MemoryFormat::Contiguous:
          return MemoryFormatName{"torch.contiguous_format"};
        case c10::MemoryFormat::Preserve:
          return MemoryFormatName{"torch.preserve_format"};
        case c10::MemoryFormat::ChannelsLast:
          return MemoryFormatName{"torch.channels_last"};
        case c10::MemoryFormat::ChannelsLast3d:
          return MemoryFormatName{"torch.channels_last_3d"};
        default:
          break;
      }
      return SizeExpression::constant(value);
    }
    default:
      return SizeExpression::constant(value);
  }
}

Attribute opaque(const c10::IValue& constant) { return OpaqueConstant{0, constant.tagKind()}; }

Attribute listAttribute(const c10::IValue& constant) {
  std::vector<SizeExpression> integers;
  std::vector<double> reals;
  for (const auto& element : constant.toListRef()) {
    if (element.isInt()) {
      integers.push_back(SizeExpression::constant(element.toInt()));
    } else if (element.isDouble()) {
      reals.push_back(element.toDouble());
    } else {
      return opaque(constant);
    }
  }
  if (!reals.empty() && !integers.empty()) return opaque(constant);
  if (!reals.empty()) return reals;
  return integers;
}

}  // namespace

Attribute attributeOf(const c10::IValue& constant, const c10::Argument& argument) {
  if (constant.isNone()) return std::monostate{};
  if (constant.isInt()) return integerAttribute(constant.toInt(), argument);
  if (constant.isBool()) return constant.toBool();
  if (constant.isDouble()) return constant.toDouble();
  if (constant.isComplexDouble()) {
    const auto value = constant.toComplexDouble();
    return std::complex<double>(value.real(), value.imag());
  }
  if (constant.isString()) return constant.toStringRef();
  if (constant.isDevice()) {
    const auto device = constant.toDevice();
    return DeviceName{static_cast<int8_t>(device.type()), device.index()};
  }
  if (constant.isDoubleList()) return constant.toDoubleVector();
  if (constant.isBoolList()) {
    const auto list = constant.toBoolList();
    return std::vector<bool>(list.begin(), list.end());
  }
  if (constant.isIntList()) {
    std::vector<SizeExpression> integers;
    for (const int64_t value : constant.toIntVector()) {
      integers.push_back(SizeExpression::constant(value));
    }
    return integers;
  }
  if (constant.isList()) return listAttribute(constant);
  return opaque(constant);
}

}  // namespace jitscope::compiler
