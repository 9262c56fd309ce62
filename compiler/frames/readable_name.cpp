#include "compiler/frames/readable_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "compiler/compile.h"

namespace jitscope::compiler {

// Template arguments may hold parentheses of their own, and so do unnamed namespaces.
std::string withoutArguments(std::string name) {
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0 && i > 0 && !name.substr(i).starts_with("(anonymous")) {
      return name.substr(0, i);
    }
  }
  return name;
}

std::string readableName(const std::type_info& type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(type.name(), nullptr, nullptr, &status), &std::free);
  std::string name = demangled ? demangled.get() : type.name();
  // A lambda's type is `scope::{lambda(args)#1}`; what a person calls it is the function it stands
  // in.
  if (const size_t lambda = name.find("{lambda"); lambda != std::string::npos) {
    std::string scope = withoutArguments(name.substr(0, lambda));
    while (scope.ends_with(':')) scope.pop_back();
    return scope.empty() ? "<lambda>" : scope + "::<lambda>";
  }
  return withoutArguments(std::move(name));
}

}  // namespace jitscope::compiler
