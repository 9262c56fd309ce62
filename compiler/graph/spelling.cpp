#include "compiler/graph/spelling.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

#include "compiler/graph/spelling_table.h"

namespace jitscope::compiler {
namespace {

std::string_view operatorName(const Node& node) {
  const std::string_view op = node.op;
  const size_t colons = op.rfind("::");
  return colons == std::string_view::npos ? op : op.substr(colons + 2);
}

bool isFor(const Spelling& spelling, const Node& node) {
  if (!spelling.op.starts_with(node.op)) return false;
  const std::string_view overload = spelling.op.substr(node.op.size());
  return overload.empty() || (overload[0] == '.' && overload.substr(1) == node.overload);
}

std::string doubleText(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string pythonText(std::string_view text) {
  std::string result = "'";
  for (char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

template <class List, class Write>
std::string tupleText(const List& list, const Write& write) {
  std::string text = "(";
  for (size_t i = 0; i < list.size(); ++i) text += (i == 0 ? "" : ", ") + write(list[i]);
  return text + (list.size() == 1 ? ",)" : ")");
}

std::string deviceText(const DeviceName& device) {
  const std::string kind = DeviceName{device.kind, -1}.text();
  return device.index == -1 ? fmt::format("device(type='{}')", kind)
                            : fmt::format("device(type='{}', index={})", kind, device.index);
}

/// One way to write one node.
class Writer {
 public:
  Writer(const Node& node, const WriteArgument& write)
      : node_(node), write_(write), isNamed_(node.arguments.size()) {}

  /// Empty when the spelling does not fit the node's arguments.
  std::optional<std::string> write(std::string_view pattern) {
    const size_t parameters = pattern.ends_with(')') ? openingOf(pattern) : pattern.size();
    std::string text = fillIn(pattern.substr(0, parameters));
    if (parameters != pattern.size()) {
      writeParameters(pattern.substr(parameters + 1, pattern.size() - parameters - 2));
      // Parameters behind an operator are conditions only.
      if (isCall(pattern.substr(0, parameters))) text += "(" + joined_ + ")";
    }
    for (size_t i = 0; i < isNamed_.size(); ++i) {
      if (!isNamed_[i] && write_(node_.arguments[i]) != "None") fits_ = false;
    }
    if (!fits_) return std::nullopt;
    return text;
  }

 private:
  static size_t openingOf(std::string_view pattern) {
    int depth = 0;
    for (size_t i = pattern.size(); i-- > 0;) {
      if (pattern[i] == ')') ++depth;
      if (pattern[i] == '(' && --depth == 0) return i;
    }
    return pattern.size();
  }

  /// `torch.relu` and `{self}.mean` are called; `{self} + {other}` and `{self}[…]` are not.
  static bool isCall(std::string_view callee) {
    return !callee.ends_with('}') && !callee.ends_with(']');
  }

  const Argument* take(std::string_view name) {
    for (size_t i = 0; i < node_.arguments.size(); ++i) {
      if (node_.arguments[i].name != name) continue;
      isNamed_[i] = true;
      return &node_.arguments[i];
    }
    return nullptr;
  }

  std::string fillIn(std::string_view pattern) {
    std::string text;
    while (!pattern.empty()) {
      const size_t open = std::min(pattern.find('{'), pattern.size());
      text += pattern.substr(0, open);
      pattern.remove_prefix(open);
      if (pattern.empty()) break;
      const size_t close = pattern.find('}');
      const Argument* argument = take(pattern.substr(1, close - 1));
      if (argument) {
        text += write_(*argument);
      } else {
        fits_ = false;
      }
      pattern.remove_prefix(close + 1);
    }
    return text;
  }

  void writeParameters(std::string_view parameters) {
    while (!parameters.empty()) {
      const size_t comma = std::min(parameters.find(", "), parameters.size());
      writeParameter(parameters.substr(0, comma));
      parameters.remove_prefix(std::min(comma + 2, parameters.size()));
    }
  }

  void writeParameter(std::string_view parameter) {
    if (parameter == "*") return addAll();
    if (parameter.starts_with('-')) {
      take(parameter.substr(1));
      return;
    }
    if (const size_t equals = parameter.find('='); equals != std::string_view::npos) {
      return writeKeyword(parameter.substr(0, equals), parameter.substr(equals + 1));
    }
    const bool isSpread = parameter.starts_with('*'), isBareWhenSingle = parameter.starts_with('~');
    if (isSpread || isBareWhenSingle) parameter.remove_prefix(1);
    const bool isOptional = parameter.ends_with('?');
    if (isOptional) parameter.remove_suffix(1);
    const Argument* argument = take(parameter);
    if (!argument) {
      fits_ = fits_ && isOptional;
      return;
    }
    std::string text = write_(*argument);
    if (isOptional && text == "None") return;
    if (isSpread) text = inner(text);
    if (isBareWhenSingle && text.ends_with(",)")) text = inner(text);
    add(text);
  }

  void writeKeyword(std::string_view name, std::string_view standard) {
    const bool isCondition = name.starts_with('!');
    const Argument* argument = take(isCondition ? name.substr(1) : name);
    if (!argument) return;
    const std::string text = write_(*argument);
    if (text == standard) return;
    if (isCondition) {
      fits_ = false;
    } else {
      add(fmt::format("{} = {}", name, text));
    }
  }

  void addAll() {
    for (size_t i = 0; i < node_.arguments.size(); ++i) {
      isNamed_[i] = true;
      add(write_(node_.arguments[i]));
    }
  }

  /// The elements of a tuple's or list's text.
  static std::string inner(const std::string& text) {
    if (text.size() < 2 || (text[0] != '(' && text[0] != '[')) return text;
    const size_t end = text.size() - (text.ends_with(",)") ? 2 : 1);
    return text.substr(1, end - 1);
  }

  void add(const std::string& text) {
    if (text.empty()) return;
    if (!joined_.empty()) joined_ += ", ";
    joined_ += text;
  }

  const Node& node_;
  const WriteArgument& write_;
  std::vector<bool> isNamed_;
  std::string joined_;
  bool fits_ = true;
};

bool isTensorArgument(const Argument& argument) {
  return !std::holds_alternative<Attribute>(argument.value);
}

/// `x.relu_(…)`: what ends in an underscore is a method that changes its tensor.
std::string spellInPlace(const Node& node, const WriteArgument& write) {
  std::string text = fmt::format("{}.{}(", write(node.arguments[0]), operatorName(node));
  for (size_t i = 1; i < node.arguments.size(); ++i) {
    if (i > 1) text += ", ";
    if (!isTensorArgument(node.arguments[i])) text += node.arguments[i].name + " = ";
    text += write(node.arguments[i]);
  }
  return text + ")";
}

}  // namespace

std::string spellInFull(const Node& node, const WriteArgument& write) {
  std::string dotted = node.op;
  if (const size_t colons = dotted.find("::"); colons != std::string::npos) {
    dotted.replace(colons, 2, ".");
  }
  std::string text =
      fmt::format("torch.ops.{}.{}(", dotted, node.overload.empty() ? "default" : node.overload);
  bool isLeading = true;
  for (size_t i = 0; i < node.arguments.size(); ++i) {
    isLeading = isLeading && isTensorArgument(node.arguments[i]);
    if (i > 0) text += ", ";
    if (!isLeading) text += node.arguments[i].name + " = ";
    text += write(node.arguments[i]);
  }
  return text + ")";
}

std::string spell(const Node& node, const WriteArgument& write) {
  for (const Spelling& spelling : kSpellings) {
    if (!isFor(spelling, node)) continue;
    if (auto text = Writer(node, write).write(spelling.text)) return *text;
  }
  const bool isInPlace = node.op.starts_with("aten::") && node.op.ends_with('_') &&
                         !node.op.ends_with("__") && !node.arguments.empty() &&
                         node.arguments[0].name == "self";
  return isInPlace ? spellInPlace(node, write) : spellInFull(node, write);
}

std::string_view resultName(const Node& node) {
  for (const Spelling& spelling : kSpellings) {
    if (!spelling.variable.empty() && isFor(spelling, node)) return spelling.variable;
  }
  return operatorName(node);
}

std::string pythonText(const Attribute& attribute,
                       const std::function<std::string(const SizeExpression&)>& sizeText) {
  struct Visitor {
    const std::function<std::string(const SizeExpression&)>& sizeText;

    std::string operator()(std::monostate) const { return "None"; }
    std::string operator()(bool value) const { return value ? "True" : "False"; }
    std::string operator()(const SizeExpression& size) const { return sizeText(size); }
    std::string operator()(double value) const { return doubleText(value); }
    std::string operator()(const std::complex<double>& value) const {
      return fmt::format("complex({}, {})", doubleText(value.real()), doubleText(value.imag()));
    }
    std::string operator()(const std::string& text) const { return pythonText(text); }
    std::string operator()(const std::vector<SizeExpression>& list) const {
      return tupleText(list, sizeText);
    }
    std::string operator()(const std::vector<double>& list) const {
      return tupleText(list, doubleText);
    }
    std::string operator()(const std::vector<bool>& list) const {
      return tupleText(list, [](bool value) { return std::string(value ? "True" : "False"); });
    }
    std::string operator()(DataType type) const {
      return "torch." + std::string(dataTypeName(type));
    }
    std::string operator()(const DeviceName& device) const { return deviceText(device); }
    std::string operator()(const LayoutName& layout) const { return layout.text; }
    std::string operator()(const MemoryFormatName& format) const { return format.text; }
    std::string operator()(const OpaqueConstant& constant) const {
      return fmt::format("_opaque_{}", constant.index);
    }
  };
  return std::visit(Visitor{sizeText}, attribute);
}

}  // namespace jitscope::compiler
