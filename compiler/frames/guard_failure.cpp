#include <fmt/format.h>

#include <bit>

#include "compiler/frames/guard_text.h"
#include "compiler/frames/guards.h"

// The words of a guard's failure. The walk is the one of GuardProgram::holds, so that the
// first failure found here is the one that made the check fail; guards_test compares the two.
namespace jitscope::compiler {

namespace {

using Kind = Leaf::Kind;

/// `L['x']` as messages about tensors print it since 2.7: `x`.
std::string tensorName(const std::string& source) {
  if (source.starts_with("L['") && source.ends_with("']") &&
      source.find('\'', 3) == source.size() - 2) {
    return source.substr(3, source.size() - 5);
  }
  return source;
}

std::string dtypeText(caffe2::TypeMeta dtype) {
  return c10::toString(c10::typeMetaToScalarType(dtype));
}

GuardFailure failure(std::string kind, const std::string& source, std::string expected,
                     std::string actual, std::string text, std::string cause) {
  GuardFailure failed;
  failed.kind = std::move(kind);
  failed.source = source;
  failed.expected = std::move(expected);
  failed.actual = std::move(actual);
  failed.text = std::move(text);
  failed.cause = std::move(cause);
  return failed;
}

GuardFailure mismatch(const std::string& source, const std::string& what,
                      const std::string& expected, const std::string& actual,
                      const std::string& cause) {
  return failure("TENSOR_MATCH", source, expected, actual,
                 fmt::format("tensor '{}' {} mismatch. expected {}, actual {}", tensorName(source),
                             what, expected, actual),
                 cause);
}

GuardFailure indexedMismatch(const std::string& source, const std::string& what, size_t index,
                             int64_t expected, int64_t actual, const std::string& cause) {
  return failure("TENSOR_MATCH", source, std::to_string(expected), std::to_string(actual),
                 fmt::format("tensor '{}' {} mismatch at index {}. expected {}, actual {}",
                             tensorName(source), what, index, expected, actual),
                 cause);
}

GuardFailure rangeFailure(const std::string& expression, int64_t minimum, int64_t maximum,
                          int64_t actual) {
  const bool isBelow = actual < minimum;
  return failure("SHAPE_ENV", expression,
                 isBelow ? fmt::format("at least {}", minimum) : fmt::format("at most {}", maximum),
                 std::to_string(actual),
                 isBelow ? fmt::format("{} <= {}  # was {}", minimum, expression, actual)
                         : fmt::format("{} <= {}  # was {}", expression, maximum, actual),
                 actual < 2 && isBelow ? "zero_one" : "size");
}

std::optional<GuardFailure> dimensionFailure(const GuardTables::Tensor& guard,
                                             const GuardTables::Dimension* dimensions,
                                             const std::string& source, const at::Tensor& tensor) {
  const c10::IntArrayRef sizes = tensor.sizes();
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t expected = dimensions[d].size;
    if (expected == GuardTables::Dimension::kAny) {
      if (sizes[d] >= dimensions[d].minimum && sizes[d] <= dimensions[d].maximum) continue;
      return rangeFailure(fmt::format("{}.size()[{}]", source, d), dimensions[d].minimum,
                          dimensions[d].maximum, sizes[d]);
    }
    if (expected == sizes[d]) continue;
    return indexedMismatch(source, "size", d, expected, sizes[d],
                           expected < 2 || sizes[d] < 2 ? "zero_one" : "size");
  }
  if (!guard.isStrided) return std::nullopt;
  for (size_t d = 0; d < sizes.size(); ++d) {
    const int64_t expected = expectedStride(dimensions[d], sizes, tensor.strides());
    const int64_t actual = tensor.strides()[d];
    if (expected != actual) return indexedMismatch(source, "stride", d, expected, actual, "stride");
  }
  return std::nullopt;
}

std::optional<GuardFailure> tensorFailure(const GuardTables& tables,
                                          const GuardTables::Tensor& guard,
                                          const std::string& source, const at::Tensor& tensor) {
  if (!tensor.defined() || !guard.isDefined) {
    if (tensor.defined() == guard.isDefined) return std::nullopt;
    const auto word = [](bool isDefined) { return isDefined ? "a tensor" : "an undefined tensor"; };
    return failure("TYPE_MATCH", source, word(guard.isDefined), word(tensor.defined()),
                   fmt::format("expected '{}' to be {}, but found {}", source,
                               word(guard.isDefined), word(tensor.defined())),
                   "optional");
  }
  if (guard.isIdentityGuarded && !guard.object.is_same(tensor)) {
    return failure("ID_MATCH", source, "the same tensor", "another tensor",
                   fmt::format("___check_obj_id({}, {})", source,
                               fmt::ptr(guard.object.unsafeGetTensorImpl())),
                   "parameter");
  }
  const at::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
  // A tensor of another device or dtype has other keys too. Dynamo's order names the keys; the
  // cause names what the user changed.
  if (impl.key_set().raw_repr() != guard.keys) {
    return mismatch(source, "dispatch key set", keysText(guard.keys),
                    keysText(impl.key_set().raw_repr()),
                    impl.device().type() != guard.device.type() ? "device" : "dispatch_keys");
  }
  if (impl.dtype() != guard.dtype) {
    return mismatch(source, "dtype", dtypeText(guard.dtype), dtypeText(impl.dtype()), "dtype");
  }
  if (impl.device() != guard.device) {
    return failure(
        "TENSOR_MATCH", source, std::to_string(guard.device.index()),
        std::to_string(impl.device().index()),
        fmt::format("tensor '{}' Tensor device index mismatch. Expected device index to be "
                    "{}, actual {}",
                    tensorName(source), guard.device.index(), impl.device().index()),
        "device");
  }
  if (tensor.requires_grad() != guard.requiresGrad) {
    return failure("TENSOR_MATCH", source, guard.requiresGrad ? "true" : "false",
                   guard.requiresGrad ? "false" : "true",
                   fmt::format("tensor '{}' requires_grad mismatch. expected requires_grad={}",
                               tensorName(source), static_cast<int>(guard.requiresGrad)),
                   "requires_grad");
  }
  if (impl.dim() != guard.rank) {
    return mismatch(source, "rank", std::to_string(guard.rank), std::to_string(impl.dim()), "rank");
  }
  return dimensionFailure(guard, tables.dimensions.data() + guard.firstDimension, source, tensor);
}

const char* kindWord(Kind kind) {
  switch (kind) {
    case Kind::kTensor:
      return "tensor";
    case Kind::kInteger:
      return "int";
    case Kind::kReal:
      return "float";
    case Kind::kBool:
      return "bool";
    case Kind::kText:
      return "str";
    case Kind::kLength:
      return "list";
    case Kind::kPresence:
      return "optional";
    case Kind::kKey:
      return "dict key";
  }
  return "value";
}

std::string causeOf(Kind kind) {
  switch (kind) {
    case Kind::kText:
      return "string";
    case Kind::kLength:
    case Kind::kKey:
      return "length";
    case Kind::kPresence:
      return "optional";
    default:
      return "scalar";
  }
}

std::string expectedText(const GuardTables& tables, const GuardTables::Value& guard) {
  switch (guard.kind) {
    case Kind::kReal:
      return fmt::format("{}", std::bit_cast<double>(guard.integer));
    case Kind::kBool:
      return boolWord(guard.integer);
    case Kind::kText:
    case Kind::kKey:
      return quoted(tables.texts[guard.index]);
    case Kind::kPresence:
      return guard.integer ? "present" : "absent";
    default:
      return std::to_string(guard.integer);
  }
}

std::string actualText(const Leaf& leaf) {
  switch (leaf.kind) {
    case Kind::kReal:
      return fmt::format("{}", leaf.real);
    case Kind::kBool:
      return boolWord(leaf.integer);
    case Kind::kText:
    case Kind::kKey:
      return quoted(*leaf.text);
    case Kind::kPresence:
      return leaf.integer ? "present" : "absent";
    default:
      return std::to_string(leaf.integer);
  }
}

bool scalarHolds(const GuardTables& tables, const GuardTables::Value& guard, const Leaf& leaf) {
  switch (guard.kind) {
    case Kind::kReal:
      return std::bit_cast<int64_t>(leaf.real) == guard.integer;
    case Kind::kText:
    case Kind::kKey:
      return *leaf.text == tables.texts[guard.index];
    default:
      return leaf.integer == guard.integer;
  }
}

std::optional<GuardFailure> valueFailure(const GuardTables& tables, size_t position,
                                         const Leaf& leaf) {
  const GuardTables::Value& guard = tables.values[position];
  const std::string& source = tables.sources[position];
  if (leaf.kind != guard.kind) {
    return failure(
        "TYPE_MATCH", source, kindWord(guard.kind), kindWord(leaf.kind),
        guard.kind == Kind::kTensor
            ? fmt::format("expected type of '{}' to be a tensor type, ' but found <class '{}'>",
                          source, kindWord(leaf.kind))
            : fmt::format("___check_type_id({}, {})", source, kindWord(guard.kind)),
        "type");
  }
  if (guard.kind == Kind::kTensor) {
    return tensorFailure(tables, tables.tensors[guard.index], source, *leaf.tensor);
  }
  if (guard.isDynamic) {
    if (leaf.integer >= guard.minimum && leaf.integer <= guard.maximum) return std::nullopt;
    return rangeFailure(source, guard.minimum, guard.maximum, leaf.integer);
  }
  if (scalarHolds(tables, guard, leaf)) return std::nullopt;
  return failure(guardKind(guard.kind), source, expectedText(tables, guard), actualText(leaf),
                 equalityText(tables, guard, source), causeOf(guard.kind));
}

std::optional<GuardFailure> equalSizesFailure(const GuardTables& tables, const Leaves& leaves) {
  for (const GuardTables::EqualSizes& equal : tables.equalSizes) {
    const int64_t left = leaves[equal.leaf].tensor->size(static_cast<int64_t>(equal.dimension));
    const int64_t right =
        leaves[equal.otherLeaf].tensor->size(static_cast<int64_t>(equal.otherDimension));
    if (left == right) continue;
    const std::string name = sizeText(tables, equal.leaf, equal.dimension);
    return failure(
        "SHAPE_ENV", name, std::to_string(right), std::to_string(left),
        fmt::format("{} == {}", name, sizeText(tables, equal.otherLeaf, equal.otherDimension)),
        "size");
  }
  return std::nullopt;
}

std::optional<GuardFailure> aliasingFailure(const GuardTables& tables, const Leaves& leaves) {
  if (tables.sharing.holds(leaves)) return std::nullopt;
  const auto& expected = tables.sharing.tensors();
  const auto tensorAt = [&](size_t i) -> const at::Tensor& {
    return *leaves[tables.tensors[i].leaf].tensor;
  };
  for (size_t i = 0; i < tables.tensors.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const std::string& left = tables.sources[tables.tensors[j].leaf];
      const std::string& right = tables.sources[tables.tensors[i].leaf];
      const bool wasSame = expected[i].objectOf == expected[j].objectOf;
      const bool isSame = tensorAt(i).defined() && tensorAt(i).is_same(tensorAt(j));
      if (wasSame && !isSame) {
        return failure("TENSOR_ALIASING", right, "the same tensor", "another tensor",
                       fmt::format("{} is {}", left, right), "aliasing");
      }
      if (!wasSame && isSame) {
        return failure(
            "NO_TENSOR_ALIASING", right, "another tensor", "the same tensor",
            fmt::format("Duplicate tensor found where not expected! {} should not alias to "
                        "anything, but is aliased",
                        right),
            "aliasing");
      }
    }
  }
  return failure("STORAGE_OVERLAPPING", "", "the same sharing of storage", "another",
                 "inputs share storage in another way than when the graph was captured",
                 "aliasing");
}

}  // namespace

std::optional<GuardFailure> GuardProgram::firstFailure(const GuardedCall& call) const {
  if (!(call.globalState == tables_.globalState)) {
    const std::string names = tables_.globalState.difference(call.globalState);
    return failure("GLOBAL_STATE", "", tables_.globalState.text(), call.globalState.text(),
                   "GLOBAL_STATE changed: " + names + " ", "global_state");
  }
  for (size_t i = 0; i < tables_.values.size() && i < call.leaves.size(); ++i) {
    if (auto failed = valueFailure(tables_, i, call.leaves[i])) return failed;
  }
  if (call.leaves.size() < tables_.values.size()) {
    return failure("SEQUENCE_LENGTH", "", std::to_string(tables_.values.size()),
                   std::to_string(call.leaves.size()), "fewer arguments than when compiled",
                   "length");
  }
  if (auto failed = equalSizesFailure(tables_, call.leaves)) return failed;
  return aliasingFailure(tables_, call.leaves);
}

}  // namespace jitscope::compiler
