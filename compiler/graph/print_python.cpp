#include <fmt/format.h>

#include <optional>
#include <unordered_map>

#include "compiler/graph.h"
#include "compiler/graph/print_operators.h"
#include "compiler/graph/spelling.h"
#include "compiler/graph/traverse.h"
#include "compiler/graph/value_names.h"

namespace jitscope::compiler {
namespace {

/// Where every value is used for the last time, so that its variable can be let go there.
class Liveness {
 public:
  explicit Liveness(const Graph& graph)
      : isOutput_(graph.values.size()), lastUse_(graph.values.size(), kNever) {
    for (ValueId output : graph.outputs) isOutput_[static_cast<size_t>(output)] = true;
    for (size_t i = 0; i < graph.nodes.size(); ++i) {
      for (const Argument& argument : graph.nodes[i].arguments) {
        forEachValue(argument.value, [&](ValueId id) {
          if (id != ValueId::kNone) lastUse_[static_cast<size_t>(id)] = static_cast<int64_t>(i);
        });
      }
    }
  }

  bool isUsed(ValueId id) const {
    return isOutput_[static_cast<size_t>(id)] || lastUse_[static_cast<size_t>(id)] != kNever;
  }
  bool diesAt(ValueId id, size_t node) const {
    return !isOutput_[static_cast<size_t>(id)] &&
           lastUse_[static_cast<size_t>(id)] == static_cast<int64_t>(node);
  }

 private:
  static constexpr int64_t kNever = -1;
  std::vector<bool> isOutput_;
  std::vector<int64_t> lastUse_;
};

enum class Style {
  kPlain,
  kReadable,   ///< with types and the places where the lines come from
  kOperators,  ///< readable, with operators by their qualified names
};

/// Prints one graph.
class PythonPrinter {
 public:
  PythonPrinter(const Graph& graph, Style style)
      : graph_(graph),
        isReadable_(style != Style::kPlain),
        spell_(style == Style::kOperators ? &spellInFull : &spell),
        liveness_(graph) {
    for (const Value& value : graph.values) names_.reserve(value.name);
    for (const GraphSymbol& symbol : graph.symbols) names_.reserve(symbol.name);
  }

  std::string print() {
    printSignature();
    for (size_t i = 0; i < graph_.nodes.size(); ++i) printNode(i);
    std::string outputs;
    for (ValueId id : graph_.outputs) outputs += (outputs.empty() ? "" : ", ") + nameOf(id);
    line(fmt::format("return ({}{})", outputs, graph_.outputs.size() == 1 ? "," : ""));
    return text_;
  }

 private:
  void printSignature() {
    std::string parameters, assignments;
    for (const GraphSymbol& symbol : graph_.symbols) {
      parameters += isReadable_ ? fmt::format(", {0}: \"Sym({0})\"", symbol.name)
                                : fmt::format(", {0} : Sym({0})", symbol.name);
    }
    for (const GraphInput& input : graph_.inputs) {
      // AOTAutograd's inputs are named as they are called.
      const bool isNamedSo = nameOf(input.value) == input.source;
      const std::string placeholder =
          isNamedSo ? input.source : names_.unique(inputName(input.source));
      parameters += isReadable_ ? fmt::format(", {}: \"{}\"", placeholder, typeText(input.value))
                                : fmt::format(", {} : Tensor", placeholder);
      if (!isNamedSo) assignments += fmt::format("    {} = {}\n", nameOf(input.value), placeholder);
    }
    text_ = fmt::format("def forward(self{}):\n{}", parameters, assignments);
  }

  void printNode(size_t index) {
    const Node& node = graph_.nodes[index];
    printPlace(node.source);
    const std::string call =
        spell_(node, [&](const Argument& argument) { return argumentText(argument); });
    const std::vector<std::string> dying = argumentsDyingAt(index);
    const auto* single =
        node.results.size() == 1 ? std::get_if<ValueId>(&node.results[0]) : nullptr;
    if (single && *single != ValueId::kNone && !isArgument(node, *single)) {
      assign(nameOf(*single), *single, call, dying, !liveness_.isUsed(*single));
      return;
    }
    printParts(node, call, dying);
  }

  /// A call whose results are taken out of a tuple, or not at all.
  void printParts(const Node& node, const std::string& call, std::vector<std::string> dying) {
    const std::string whole = names_.unique(resultName(node));
    std::vector<std::pair<ValueId, std::string>> parts;
    for (size_t i = 0; i < node.results.size(); ++i) {
      const auto* list = std::get_if<std::vector<ValueId>>(&node.results[i]);
      const std::string path = node.results.size() == 1 ? whole : fmt::format("{}[{}]", whole, i);
      if (!list) {
        addPart(parts, node, std::get<ValueId>(node.results[i]), path);
        continue;
      }
      for (size_t j = 0; j < list->size(); ++j) {
        addPart(parts, node, (*list)[j], fmt::format("{}[{}]", path, j));
      }
    }
    assign(whole, std::nullopt, call, std::move(dying), parts.empty());
    for (size_t i = 0; i < parts.size(); ++i) {
      const bool isLast = i + 1 == parts.size();
      assign(nameOf(parts[i].first), parts[i].first, parts[i].second,
             isLast ? std::vector{whole} : std::vector<std::string>{}, false);
    }
  }

  void addPart(std::vector<std::pair<ValueId, std::string>>& parts, const Node& node, ValueId id,
               const std::string& path) const {
    if (id == ValueId::kNone || isArgument(node, id) || !liveness_.isUsed(id)) return;
    parts.emplace_back(id, path);
  }

  void assign(const std::string& name, std::optional<ValueId> typed, const std::string& expression,
              std::vector<std::string> dying, bool isUnused) {
    std::string statement = name;
    if (isReadable_ && typed) statement += fmt::format(": \"{}\"", typeText(*typed));
    statement += " = " + expression;
    if (isUnused) dying.push_back(name);
    if (!dying.empty()) {
      statement += ";  ";
      for (const std::string& gone : dying) statement += gone + " = ";
      statement += "None";
    }
    line(statement);
  }

  void printPlace(const SourceLine& source) {
    if (!isReadable_ || source.file.empty() || source == lastPlace_) return;
    lastPlace_ = source;
    text_ += '\n';
    line(fmt::format("# File: {}:{} in {}", source.file, source.line, source.function));
  }

  std::vector<std::string> argumentsDyingAt(size_t index) const {
    std::vector<std::string> dying;
    std::unordered_map<int32_t, bool> isListed;
    for (const Argument& argument : graph_.nodes[index].arguments) {
      forEachValue(argument.value, [&](ValueId id) {
        if (id == ValueId::kNone || !liveness_.diesAt(id, index)) return;
        if (!std::exchange(isListed[static_cast<int32_t>(id)], true)) dying.push_back(nameOf(id));
      });
    }
    return dying;
  }

  static bool isArgument(const Node& node, ValueId id) {
    bool found = false;
    for (const Argument& argument : node.arguments) {
      forEachValue(argument.value, [&](ValueId other) { found = found || other == id; });
    }
    return found;
  }

  std::string argumentText(const Argument& argument) const {
    if (const auto* id = std::get_if<ValueId>(&argument.value)) return nameOf(*id);
    if (const auto* attribute = std::get_if<Attribute>(&argument.value)) {
      return pythonText(*attribute, [&](const SizeExpression& size) { return sizeText(size); });
    }
    std::string text;
    for (ValueId id : std::get<std::vector<ValueId>>(argument.value)) {
      text += (text.empty() ? "" : ", ") + nameOf(id);
    }
    return "[" + text + "]";
  }

  std::string typeText(ValueId id) const {
    const TensorType& type = graph_.value(id).type;
    const auto listText = [&](const std::vector<SizeExpression>& list) {
      std::string text;
      for (const SizeExpression& size : list) text += (text.empty() ? "" : ", ") + sizeText(size);
      return "[" + text + "]";
    };
    return std::string(dataTypeShortName(type.dataType)) + listText(type.sizes) +
           listText(type.strides) + type.device.text();
  }

  std::string sizeText(const SizeExpression& size) const {
    return size.textWith([&](SymbolId id) { return graph_.symbols[static_cast<size_t>(id)].name; });
  }

  std::string nameOf(ValueId id) const {
    return id == ValueId::kNone ? "None" : graph_.value(id).name;
  }

  void line(const std::string& statement) { text_ += "    " + statement + "\n"; }

  const Graph& graph_;
  const bool isReadable_;
  std::string (*const spell_)(const Node&, const WriteArgument&);
  const Liveness liveness_;
  ValueNames names_;
  SourceLine lastPlace_;
  std::string text_;
};

}  // namespace

std::string printPython(const Graph& graph) { return PythonPrinter(graph, Style::kPlain).print(); }

std::string printReadable(const Graph& graph) {
  return PythonPrinter(graph, Style::kReadable).print();
}

std::string printOperators(const Graph& graph) {
  return PythonPrinter(graph, Style::kOperators).print();
}

}  // namespace jitscope::compiler
