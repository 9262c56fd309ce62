#include <fmt/format.h>

#include <bit>
#include <cmath>

#include "compiler/graph.h"
#include "compiler/graph/text_form.h"
#include "compiler/graph/type_name.h"

namespace jitscope::compiler {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// A word where possible, since it reads better.
std::string nameText(std::string_view name) {
  return isWord(name) ? std::string(name) : quoted(name);
}

std::string realText(double value) {
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  // There are many NaNs: all come back as they were.
  if (std::isnan(value)) return fmt::format("nan({:#x})", std::bit_cast<uint64_t>(value));
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string valueText(ValueId id) {
  return id == ValueId::kNone ? "%none" : fmt::format("%{}", static_cast<int32_t>(id));
}

template <class List, class Write>
std::string listText(std::string_view open, const List& list, std::string_view close, Write write) {
  std::string text(open);
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) text += ", ";
    text += write(list[i]);
  }
  return text.append(close);
}

std::string sizesText(const std::vector<SizeExpression>& sizes) {
  return listText("[", sizes, "]", [](const SizeExpression& size) { return size.text(); });
}

std::string typeText(DataType type) {
  return isKnownDataType(type) ? std::string(dataTypeName(type))
                               : fmt::format("type({})", static_cast<int>(type));
}

struct AttributeText {
  std::string operator()(std::monostate) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(const SizeExpression& size) const { return size.text(); }
  std::string operator()(double value) const { return realText(value); }
  std::string operator()(const std::complex<double>& value) const {
    return fmt::format("complex({}, {})", realText(value.real()), realText(value.imag()));
  }
  std::string operator()(const std::string& text) const { return quoted(text); }
  std::string operator()(const std::vector<SizeExpression>& list) const { return sizesText(list); }
  std::string operator()(const std::vector<double>& list) const {
    return listText("reals[", list, "]", realText);
  }
  std::string operator()(const std::vector<bool>& list) const {
    return listText("bools[", list, "]", *this);
  }
  std::string operator()(DataType type) const { return fmt::format("dtype({})", typeText(type)); }
  std::string operator()(const DeviceName& device) const {
    return fmt::format("device({})", quoted(device.text()));
  }
  std::string operator()(const LayoutName& layout) const {
    return fmt::format("layout({})", quoted(layout.text));
  }
  std::string operator()(const MemoryFormatName& format) const {
    return fmt::format("memory_format({})", quoted(format.text));
  }
  std::string operator()(const OpaqueConstant& constant) const {
    return fmt::format("opaque({}, {})", constant.index, quoted(constant.text));
  }
};

std::string argumentText(const Argument& argument) {
  std::string text = nameText(argument.name) + " = ";
  if (const auto* id = std::get_if<ValueId>(&argument.value)) return text + valueText(*id);
  if (const auto* ids = std::get_if<std::vector<ValueId>>(&argument.value)) {
    return text + listText("tensors[", *ids, "]", valueText);
  }
  return text + std::visit(AttributeText{}, std::get<Attribute>(argument.value));
}

std::string resultText(const NodeResult& result) {
  if (const auto* id = std::get_if<ValueId>(&result)) return valueText(*id);
  return listText("[", std::get<std::vector<ValueId>>(result), "]", valueText);
}

std::string nodeText(const Node& node) {
  std::string text = fmt::format("node {} {} {} -> {}", quoted(node.op), quoted(node.overload),
                                 listText("(", node.arguments, ")", argumentText),
                                 listText("(", node.results, ")", resultText));
  if (node.source == SourceLine{}) return text;
  return text + fmt::format(" at {} {} {}", quoted(node.source.file), node.source.line,
                            quoted(node.source.function));
}

}  // namespace

std::string printGraph(const Graph& graph) {
  std::string text = fmt::format("graph {}\n", quoted(graph.name));
  for (const GraphSymbol& symbol : graph.symbols) {
    text += fmt::format("symbol {} {} hint {} range {} {}", nameText(symbol.name),
                        quoted(symbol.source), symbol.hint, symbol.minimum, symbol.maximum);
    for (const std::string& source : symbol.equalSources) text += " equals " + quoted(source);
    text += '\n';
  }
  for (size_t i = 0; i < graph.values.size(); ++i) {
    const TensorType& type = graph.values[i].type;
    text += fmt::format("value %{} {} {} {} {} {} {}{}\n", i, nameText(graph.values[i].name),
                        typeText(type.dataType), quoted(type.device.text()), sizesText(type.sizes),
                        sizesText(type.strides), type.storageOffset.text(),
                        type.requiresGrad ? " requires_grad" : "");
  }
  for (const GraphInput& input : graph.inputs) {
    text += fmt::format("input {} {}\n", valueText(input.value), quoted(input.source));
  }
  for (const Node& node : graph.nodes) text += nodeText(node) + '\n';
  return text + "return " + listText("(", graph.outputs, ")", valueText) + '\n';
}

}  // namespace jitscope::compiler
