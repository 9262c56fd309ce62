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

// Python's keywords and built-in names, which no variable takes. Sorted.
constexpr std::array<std::string_view, 99> kPythonNames{
    "abs",         "all",        "and",     "any",          "as",        "ascii",
    "assert",      "async",      "await",   "bin",          "bool",      "break",
    "breakpoint",  "bytearray",  "bytes",   "callable",     "chr",       "class",
    "classmethod", "compile",    "complex", "continue",     "def",       "del",
    "delattr",     "dict",       "dir",     "divmod",       "elif",      "else",
    "enumerate",   "eval",       "except",  "exec",         "filter",    "finally",
    "float",       "for",        "format",  "from",         "frozenset", "getattr",
    "global",      "globals",    "hasattr", "hash",         "hex",       "id",
    "if",          "import",     "in",      "input",        "int",       "is",
    "isinstance",  "issubclass", "iter",    "lambda",       "len",       "list",
    "locals",      "map",        "max",     "memoryview",   "min",       "next",
    "nonlocal",    "not",        "object",  "oct",          "open",      "or",
    "ord",         "pass",       "pow",     "print",        "property",  "raise",
    "range",       "repr",       "return",  "reversed",     "round",     "set",
    "setattr",     "slice",      "sorted",  "staticmethod", "str",       "sum",
    "super",       "try",        "tuple",   "type",         "vars",      "while",
    "with",        "yield",      "zip"};

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
  const bool isPython = std::binary_search(kPythonNames.begin(), kPythonNames.end(), wanted);
  if (!isPython && given_.emplace(wanted).second) return std::string(wanted);
  // Counted on, since a graph may hold thousands of results of one operator.
  for (int64_t& number = lastNumber_[std::string(wanted)];;) {
    std::string name = fmt::format("{}_{}", wanted, ++number);
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
