#include "compiler/frames/guard_text.h"

#include <fmt/format.h>

#include <bit>
#include <sstream>

namespace jitscope::compiler {

namespace {

using Kind = Leaf::Kind;

}  // namespace

std::string boolWord(int64_t value) { return value ? "True" : "False"; }
std::string quoted(const std::string& text) { return "'" + text + "'"; }

std::string keysText(uint64_t raw) {
  std::ostringstream text;
  text << c10::DispatchKeySet::from_raw_repr(raw);
  return text.str();
}

std::string equalityText(const GuardTables& tables, const GuardTables::Value& guard,
                         const std::string& source) {
  switch (guard.kind) {
    case Kind::kReal:
      return fmt::format("{} == {}", source, std::bit_cast<double>(guard.integer));
    case Kind::kBool:
      return fmt::format("{} == {}", source, boolWord(guard.integer));
    case Kind::kText:
      return fmt::format("{} == {}", source, quoted(tables.texts[guard.index]));
    case Kind::kKey:
      return fmt::format("{} in {}", quoted(tables.texts[guard.index]), source);
    case Kind::kLength:
      return fmt::format("len({}) == {}", source, guard.integer);
    case Kind::kPresence:
      return fmt::format("{} is {}None", source, guard.integer ? "not " : "");
    default:
      return fmt::format("{} == {}", source, guard.integer);
  }
}

std::string guardKind(Kind kind) {
  switch (kind) {
    case Kind::kLength:
      return "SEQUENCE_LENGTH";
    case Kind::kPresence:
      return "NONE_MATCH";
    case Kind::kKey:
      return "MAPPING_KEYS_CHECK";
    default:
      return "EQUALS_MATCH";
  }
}

std::string sizeText(const GuardTables& tables, size_t leaf, size_t dimension) {
  return fmt::format("{}.size()[{}]", tables.sources[leaf], dimension);
}

namespace {

std::string tensorGuardText(const GuardTables& tables, const GuardTables::Tensor& guard,
                            const std::string& source) {
  if (!guard.isDefined) return fmt::format("{} is undefined", source);
  std::string sizes, strides;
  for (uint32_t d = 0; d < guard.rank; ++d) {
    const auto& dimension = tables.dimensions[guard.firstDimension + d];
    const bool isOpen = dimension.size == GuardTables::Dimension::kAny;
    sizes += (d ? ", " : "") + (isOpen ? std::string("None") : std::to_string(dimension.size));
    strides += (d ? ", " : "") +
               (dimension.strideOf >= 0 ? std::string("None") : std::to_string(dimension.stride));
  }
  return fmt::format(
      "check_tensor({}, Tensor, {}, torch.{}, device={}, requires_grad={}, size=[{}], "
      "stride=[{}])",
      source, keysText(guard.keys),
      dataTypeName(static_cast<DataType>(c10::typeMetaToScalarType(guard.dtype))),
      guard.device.str(), guard.requiresGrad ? "True" : "False", sizes, strides);
}

}  // namespace

std::vector<GuardText> GuardProgram::texts() const {
  std::vector<GuardText> texts;
  texts.push_back(
      {"GLOBAL_STATE", "", "___check_global_state() against " + tables_.globalState.text()});
  for (size_t i = 0; i < tables_.values.size(); ++i) {
    const GuardTables::Value& guard = tables_.values[i];
    const std::string& source = tables_.sources[i];
    if (guard.kind == Kind::kTensor) {
      const auto& tensor = tables_.tensors[guard.index];
      if (tensor.isIdentityGuarded) {
        texts.push_back({"ID_MATCH", source, fmt::format("___check_obj_id({})", source)});
      }
      texts.push_back({"TENSOR_MATCH", source, tensorGuardText(tables_, tensor, source)});
    } else if (guard.isDynamic) {
      texts.push_back({"SHAPE_ENV", source, fmt::format("{} <= {}", guard.minimum, source)});
    } else {
      texts.push_back({guardKind(guard.kind), source, equalityText(tables_, guard, source)});
    }
  }
  for (const GuardTables::Tensor& tensor : tables_.tensors) {
    for (uint32_t d = 0; d < tensor.rank; ++d) {
      const GuardTables::Dimension& guard = tables_.dimensions[tensor.firstDimension + d];
      if (guard.size != GuardTables::Dimension::kAny) continue;
      const std::string name = sizeText(tables_, tensor.leaf, d);
      const bool hasMaximum = guard.maximum != std::numeric_limits<int64_t>::max();
      texts.push_back({"SHAPE_ENV", name,
                       hasMaximum
                           ? fmt::format("{} <= {} <= {}", guard.minimum, name, guard.maximum)
                           : fmt::format("{} <= {}", guard.minimum, name)});
    }
  }
  for (const GuardTables::EqualSizes& equal : tables_.equalSizes) {
    texts.push_back({"SHAPE_ENV", sizeText(tables_, equal.leaf, equal.dimension),
                     fmt::format("{} == {}", sizeText(tables_, equal.leaf, equal.dimension),
                                 sizeText(tables_, equal.otherLeaf, equal.otherDimension))});
  }
  if (tables_.tensors.size() > 1) {
    texts.push_back({"NO_TENSOR_ALIASING", "", "check_no_aliasing over all tensors, as captured"});
  }
  return texts;
}

}  // namespace jitscope::compiler
