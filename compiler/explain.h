#pragma once

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "compiler/compile.h"

namespace jitscope {

/// What compiling one call of a function finds, as torch._dynamo.explain.
struct Explanation {
  struct Break {
    std::string reason;  ///< e.g. "Unsupported Tensor.item() call with …"
    std::string explanation;
    std::string hint;
    std::vector<compiler::SourceLine> stack;  ///< innermost first
  };

  int64_t graphCount = 0;  ///< graphs with operators
  int64_t graphBreakCount = 0;
  int64_t opCount = 0;
  std::vector<std::vector<std::string>> opsPerGraph;  ///< qualified names: "aten::add.Tensor"
  std::vector<Break> breakReasons;
  std::vector<std::string> plainReasons;  ///< of segments that later calls run without their graph
  std::vector<std::string> guards;        ///< in the order in which they are checked
  std::vector<compiler::Graph> graphs;
  double compileSeconds = 0;
};

/// Prints it in the form of torch._dynamo.explain.
std::ostream& operator<<(std::ostream& stream, const Explanation& explanation);

namespace compiler {
/// What the present entries of a frame tell.
Explanation explainFrame(const Frame& frame);
}  // namespace compiler

/// Gives a function that compiles a call of `fn` afresh and says what was found:
/// `auto e = jitscope::explain(step)(x, w);`. The call really runs.
template <class Fn>
auto explain(Fn fn, CompileOptions options = {}) {
  return [fn = std::move(fn), options = std::move(options)](auto&&... args) mutable {
    auto compiled = compile(fn, options);
    compiled(std::forward<decltype(args)>(args)...);
    return compiler::explainFrame(compiled.frame());
  };
}

}  // namespace jitscope
