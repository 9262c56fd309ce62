#include "compiler/runtime/argument_plan.h"

#include <ATen/core/List.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/jit_type.h>
#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <utility>

namespace jitscope::compiler {
namespace {

using Kind = ArgumentPlan::Kind;

template <class Value>
struct Named {
  std::string_view name;
  Value value;
};
// Clang 14 does not find this by itself for aggregates.
template <class Value>
Named(std::string_view, Value) -> Named<Value>;

constexpr std::array kLayouts{
    Named{"torch.strided", c10::Layout::Strided},
    Named{"torch.sparse", c10::Layout::Sparse},
    Named{"torch.sparse_coo", c10::Layout::Sparse},
    Named{"torch.sparse_csr", c10::Layout::SparseCsr},
    Named{"torch.sparsecsr", c10::Layout::SparseCsr},
    Named{"torch.sparse_csc", c10::Layout::SparseCsc},
    Named{"torch.sparsecsc", c10::Layout::SparseCsc},
    Named{"torch.sparse_bsr", c10::Layout::SparseBsr},
    Named{"torch.sparsebsr", c10::Layout::SparseBsr},
    Named{"torch.sparse_bsc", c10::Layout::SparseBsc},
    Named{"torch.sparsebsc", c10::Layout::SparseBsc},
    Named{"torch.mkldnn", c10::Layout::Mkldnn},
    Named{"torch._mkldnn", c10::Layout::Mkldnn},
    Named{"torch.jagged", c10::Layout::Jagged},
};

constexpr std::array kMemoryFormats{
    Named{"torch.contiguous_format", c10::MemoryFormat::Contiguous},
    Named{"torch.preserve_format", c10::MemoryFormat::Preserve},
    Named{"torch.channels_last", c10::MemoryFormat::ChannelsLast},
    Named{"torch.channels_last_3d", c10::MemoryFormat::ChannelsLast3d},
};

template <class Table>
c10::IValue numberOf(const Table& table, const std::string& name, const char* what) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const auto& entry) { return entry.name == name; });
  TORCH_CHECK(found != table.end(), "no ", what, " is named ", name);
  return static_cast<int64_t>(found->value);
}

/// The type without `?`.
const c10::Type& required(const c10::Type& type) {
  const c10::Type* inner = &type;
  while (inner->kind() == c10::TypeKind::OptionalType) {
    inner = inner->castRaw<c10::OptionalType>()->getElementType().get();
  }
  return *inner;
}

/// The type of a list's elements; null when the parameter is no list.
const c10::Type* elementOf(const c10::Type& type) {
  const c10::Type& list = required(type);
  if (list.kind() != c10::TypeKind::ListType) return nullptr;
  return list.castRaw<c10::ListType>()->getElementType().get();
}

bool isReal(const c10::Type& type) { return type.kind() == c10::TypeKind::FloatType; }
bool isNumber(const c10::Type& type) { return type.kind() == c10::TypeKind::NumberType; }

/// A list whose elements are of the operator's own type, also when it is empty.
template <class Elements>
c10::IValue constantList(const Elements& elements, const c10::Type& element) {
  switch (element.kind()) {
    case c10::TypeKind::FloatType: {
      c10::List<double> list;
      for (auto value : elements) list.push_back(static_cast<double>(value));
      return list;
    }
    case c10::TypeKind::BoolType: {
      c10::List<bool> list;
      for (auto value : elements) list.push_back(static_cast<bool>(value));
      return list;
    }
    case c10::TypeKind::NumberType: {
      c10::impl::GenericList list(c10::NumberType::get());
      for (auto value : elements) list.push_back(c10::IValue(value));
      return list;
    }
    case c10::TypeKind::TensorType:
      TORCH_CHECK(std::empty(elements), "a list of numbers where tensors belong");
      return c10::List<at::Tensor>();
    default: {
      c10::List<int64_t> list;
      for (auto value : elements) list.push_back(static_cast<int64_t>(value));
      return list;
    }
  }
}

/// Plans one attribute; the parameter's type decides how numbers are handed over.
struct PlanAttribute {
  const c10::Type& type;
  ArgumentPlan plan;

  void operator()(std::monostate) {}
  void operator()(bool value) { plan.constant = value; }
  void operator()(double value) { plan.constant = value; }
  void operator()(const std::complex<double>& value) {
    plan.constant = c10::complex<double>(value.real(), value.imag());
  }
  void operator()(const std::string& text) { plan.constant = text; }
  void operator()(DataType dataType) { plan.constant = static_cast<int64_t>(dataType); }
  void operator()(const DeviceName& device) {
    plan.constant = c10::Device(static_cast<c10::DeviceType>(device.kind), device.index);
  }
  void operator()(const LayoutName& layout) {
    plan.constant = numberOf(kLayouts, layout.text, "layout");
  }
  void operator()(const MemoryFormatName& format) {
    plan.constant = numberOf(kMemoryFormats, format.text, "memory format");
  }
  void operator()(const OpaqueConstant& constant) {
    TORCH_CHECK(false,
                "holds a constant that only the process that captured it knows: ", constant.text);
  }

  void operator()(const SizeExpression& size) {
    if (elementOf(type)) return (*this)(std::vector{size});
    const bool asReal = isReal(required(type));
    if (size.isConstant()) {
      plan.constant =
          asReal ? c10::IValue(static_cast<double>(size.offset)) : c10::IValue(size.offset);
      return;
    }
    plan.kind = asReal ? Kind::kReal : Kind::kSize;
    plan.sizes = {size};
  }

  void operator()(const std::vector<SizeExpression>& sizes) {
    const c10::Type* element = elementOf(type);
    TORCH_CHECK(element != nullptr, "a list where a single value belongs");
    const bool isConstant = std::all_of(sizes.begin(), sizes.end(),
                                        [](const SizeExpression& s) { return s.isConstant(); });
    if (isConstant) {
      std::vector<int64_t> numbers;
      numbers.reserve(sizes.size());
      for (const SizeExpression& size : sizes) numbers.push_back(size.offset);
      plan.constant = constantList(numbers, *element);
      return;
    }
    TORCH_CHECK(!isReal(*element) && !isNumber(*element), "a list of sizes where reals belong");
    plan.kind = Kind::kSizes;
    plan.sizes = sizes;
  }

  void operator()(const std::vector<double>& values) {
    const c10::Type* element = elementOf(type);
    TORCH_CHECK(element != nullptr && (isReal(*element) || isNumber(*element) || values.empty()),
                "a list of reals where something else belongs");
    plan.constant = constantList(values, *element);
  }

  void operator()(const std::vector<bool>& values) {
    const c10::Type* element = elementOf(type);
    TORCH_CHECK(element != nullptr, "a list where a single value belongs");
    plan.constant = constantList(values, *element);
  }
};

bool holdsOptionals(const c10::Type& type) {
  const c10::Type* element = elementOf(type);
  return element && element->kind() == c10::TypeKind::OptionalType;
}

}  // namespace

ArgumentPlan planArgument(const Argument& argument, const c10::Argument& parameter) {
  const c10::Type& type = *parameter.real_type();
  ArgumentPlan plan;
  if (const auto* attribute = std::get_if<Attribute>(&argument.value)) {
    PlanAttribute planner{type, {}};
    std::visit(planner, *attribute);
    return planner.plan;
  }
  if (const auto* values = std::get_if<std::vector<ValueId>>(&argument.value)) {
    plan.kind = holdsOptionals(type) ? Kind::kOptionalTensors : Kind::kTensors;
    plan.values = *values;
    return plan;
  }
  plan.value = std::get<ValueId>(argument.value);
  if (plan.value != ValueId::kNone) {
    plan.kind = Kind::kValue;
  } else if (type.kind() != c10::TypeKind::OptionalType) {
    plan.constant = at::Tensor();
  }
  return plan;
}

void ArgumentPlan::push(std::span<at::Tensor> tensors, std::span<const int64_t> symbols,
                        std::vector<c10::IValue>& stack) const {
  switch (kind) {
    case Kind::kConstant:
      stack.push_back(constant);
      return;
    case Kind::kValue:
      stack.emplace_back(tensors[static_cast<size_t>(value)]);
      return;
    case Kind::kLastUse:
      stack.emplace_back(std::move(tensors[static_cast<size_t>(value)]));
      return;
    case Kind::kTensors: {
      c10::List<at::Tensor> list;
      list.reserve(values.size());
      for (ValueId id : values) {
        list.push_back(id == ValueId::kNone ? at::Tensor() : tensors[static_cast<size_t>(id)]);
      }
      stack.emplace_back(std::move(list));
      return;
    }
    case Kind::kOptionalTensors: {
      c10::List<std::optional<at::Tensor>> list;
      list.reserve(values.size());
      for (ValueId id : values) {
        if (id == ValueId::kNone) {
          list.push_back(std::nullopt);
        } else {
          list.push_back(tensors[static_cast<size_t>(id)]);
        }
      }
      stack.emplace_back(std::move(list));
      return;
    }
    case Kind::kSize:
      stack.emplace_back(sizes[0].evaluate(symbols));
      return;
    case Kind::kReal:
      stack.emplace_back(static_cast<double>(sizes[0].evaluate(symbols)));
      return;
    case Kind::kSizes: {
      c10::List<int64_t> list;
      list.reserve(sizes.size());
      for (const SizeExpression& size : sizes) list.push_back(size.evaluate(symbols));
      stack.emplace_back(std::move(list));
      return;
    }
  }
}

}  // namespace jitscope::compiler
