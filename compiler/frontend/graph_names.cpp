#include "compiler/frontend/graph_names.h"

#include <array>
#include <string_view>

namespace jitscope::compiler {
namespace {

constexpr std::array<std::string_view, 52> kPythonNames{
    "abs",   "all",   "and",     "any",     "as",     "assert", "bin",  "bool",   "break",
    "bytes", "class", "compile", "complex", "def",    "del",    "dict", "dir",    "divmod",
    "elif",  "else",  "eval",    "exec",    "filter", "float",  "for",  "format", "from",
    "hash",  "id",    "if",      "import",  "in",     "int",    "is",   "iter",   "lambda",
    "len",   "list",  "map",     "max",     "min",    "next",   "not",  "or",     "pow",
    "range", "round", "set",     "slice",   "sorted", "sum",    "type"};

bool meansSomethingInPython(std::string_view name) {
  for (const auto known : kPythonNames) {
    if (name == known) return true;
  }
  return false;
}

}  // namespace

std::string GraphNames::take(std::string wanted) {
  if (wanted.empty()) wanted = "value";
  if (!meansSomethingInPython(wanted) && taken_.insert(wanted).second) return wanted;
  for (int& suffix = lastSuffix_[wanted];;) {
    std::string name = wanted + "_" + std::to_string(++suffix);
    if (taken_.insert(name).second) return name;
  }
}

}  // namespace jitscope::compiler
