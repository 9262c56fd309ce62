#include "compiler/graph/value_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "compiler/graph.h"
#include "compiler/graph/spelling.h"
#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

// Names of the language that operators share.
constexpr std::array<std::string_view, 40> kPythonNames{
    "abs",   "all",  "and",    "any",   "as",     "bool", "complex", "del", "dict",  "dir",
    "eval",  "exec", "filter", "float", "format", "hash", "hex",     "id",  "if",    "in",
    "input", "int",  "is",     "iter",  "lambda", "len",  "list",    "map", "max",   "min",
    "next",  "not",  "or",     "pow",   "range",  "repr", "round",   "set", "slice", "sum"};

/// `L_xA_` → `l_x_a_`.
std::string snakeCase(std::string_view name) {
  std::string result;
  for (char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool startsWord = std::isupper(byte) != 0 && !result.empty() &&
                            std::islower(static_cast<unsigned char>(result.back())) != 0;
    if (startsWord) result += '_';
    result += static_cast<char>(std::tolower(byte));
  }
  return result;
}

}  // namespace

std::string ValueNames::unique(std::string_view wanted) {
  const bool isTaken =
      std::find(kPythonNames.begin(), kPythonNames.end(), wanted) != kPythonNames.end();
  if (!isTaken && given_.emplace(wanted).second) return std::string(wanted);
  for (int64_t number = 1;; ++number) {
    std::string name = fmt::format("{}_{}", wanted, number);
    if (given_.insert(name).second) return name;
  }
}

void nameValues(Graph& graph) {
  ValueNames names;
  std::vector<bool> isNamed(graph.values.size());
  const auto give = [&](ValueId id, std::string_view wanted) {
    const auto index = static_cast<size_t>(id);
    if (id == ValueId::kNone || isNamed[index]) return;
    isNamed[index] = true;
    graph.values[index].name = names.unique(wanted);
  };
  for (const GraphSymbol& symbol : graph.symbols) names.reserve(symbol.name);
  for (const GraphInput& input : graph.inputs) {
    give(input.value, snakeCase(inputName(input.source)));
  }
  for (const Node& node : graph.nodes) {
    const bool isSingle =
        node.results.size() == 1 && std::holds_alternative<ValueId>(node.results[0]);
    for (const NodeResult& result : node.results) {
      forEachValue(result, [&](ValueId id) { give(id, isSingle ? resultName(node) : "getitem"); });
    }
  }
}

}  // namespace jitscope::compiler
