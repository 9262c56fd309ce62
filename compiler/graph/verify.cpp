#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <unordered_set>

#include "compiler/graph.h"
#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

using trace::Error;
using trace::Result;

bool isIdentifier(std::string_view name) {
  const auto isLetter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !name.empty() && isLetter(static_cast<unsigned char>(name[0])) &&
         std::all_of(name.begin(), name.end(),
                     [&](unsigned char c) { return isLetter(c) || std::isdigit(c) != 0; });
}

class Verifier {
 public:
  explicit Verifier(const Graph& graph) : graph_(graph), isDefined_(graph.values.size()) {}

  Result<void> run() {
    checkSymbols();
    checkValues();
    for (const GraphInput& input : graph_.inputs) {
      place_ = "input " + input.source;
      if (input.value == ValueId::kNone) fail("has no value");
      define(input.value);
    }
    for (size_t i = 0; i < graph_.nodes.size(); ++i) checkNode(i);
    place_ = "outputs";
    for (ValueId output : graph_.outputs) {
      if (output == ValueId::kNone) fail("an output is absent");
      use(output);
    }
    return problem_.empty() ? Result<void>() : Result<void>(Error{problem_});
  }

 private:
  void checkSymbols() {
    for (const GraphSymbol& symbol : graph_.symbols) {
      place_ = "symbol " + symbol.name;
      if (!isIdentifier(symbol.name)) fail("its name is no identifier");
      if (symbol.minimum > symbol.maximum) {
        fail(fmt::format("minimum {} is above maximum {}", symbol.minimum, symbol.maximum));
      }
    }
  }

  void checkValues() {
    std::unordered_set<std::string_view> names;
    for (const Value& value : graph_.values) {
      place_ = "value " + value.name;
      if (!isIdentifier(value.name)) fail("its name is no identifier");
      if (!names.insert(value.name).second) fail("another value has this name");
      if (value.type.sizes.size() != value.type.strides.size()) {
        fail(fmt::format("{} sizes but {} strides", value.type.sizes.size(),
                         value.type.strides.size()));
      }
      forEachExpressionOfType(value.type, [&](const SizeExpression& e) { check(e); });
    }
  }

  void checkNode(size_t index) {
    const Node& node = graph_.nodes[index];
    place_ = fmt::format("operator {} ({})", index, node.op);
    if (node.op.find("::") == std::string::npos) fail("its name has no namespace");
    std::unordered_set<int32_t> read;
    for (const Argument& argument : node.arguments) {
      forEachValue(argument.value, [&](ValueId id) {
        use(id);
        read.insert(static_cast<int32_t>(id));
      });
      if (const auto* attribute = std::get_if<Attribute>(&argument.value)) {
        forEachExpression(*attribute, [&](const SizeExpression& e) { check(e); });
      }
    }
    for (const NodeResult& result : node.results) {
      forEachValue(result, [&](ValueId id) {
        // An in-place operator gives back what it read.
        if (!read.contains(static_cast<int32_t>(id))) define(id);
      });
    }
  }

  void check(const SizeExpression& expression) {
    if (expression.denominator < 1) fail("a size is divided by less than one");
    if (expression.isConstant() && (expression.numerator != 0 || expression.denominator != 1)) {
      fail("a size without symbols is not a plain constant");
    }
    if (!std::is_sorted(expression.symbols.begin(), expression.symbols.end())) {
      fail("the symbols of a size are not sorted");
    }
    for (SymbolId id : expression.symbols) {
      if (static_cast<int32_t>(id) < 0 || static_cast<size_t>(id) >= graph_.symbols.size()) {
        fail(fmt::format("symbol {} does not exist", static_cast<int32_t>(id)));
      }
    }
  }

  bool exists(ValueId id) {
    if (static_cast<int32_t>(id) >= 0 && static_cast<size_t>(id) < isDefined_.size()) return true;
    fail(fmt::format("value {} does not exist", static_cast<int32_t>(id)));
    return false;
  }

  void use(ValueId id) {
    if (id == ValueId::kNone || !exists(id)) return;
    if (!isDefined_[static_cast<size_t>(id)]) {
      fail(fmt::format("value {} is used before it is defined", graph_.value(id).name));
    }
  }

  void define(ValueId id) {
    if (id == ValueId::kNone || !exists(id)) return;
    if (isDefined_[static_cast<size_t>(id)]) {
      fail(fmt::format("value {} is defined twice", graph_.value(id).name));
    }
    isDefined_[static_cast<size_t>(id)] = true;
  }

  /// Keeps the first problem.
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = "graph " + graph_.name + ": " + place_ + ": " + what;
  }

  const Graph& graph_;
  std::vector<bool> isDefined_;
  std::string place_, problem_;
};

}  // namespace

Result<void> verify(const Graph& graph) { return Verifier(graph).run(); }

}  // namespace jitscope::compiler
