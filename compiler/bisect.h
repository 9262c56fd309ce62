#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "compiler/compile.h"

namespace jitscope {

/// Which layer of the compiler is the first to give another result than plain execution.
struct Bisection {
  std::string layer;  ///< "eager": capture and replay; "aot_eager": functional graphs; else the
                      ///< backend of the options; empty when all agree
  std::string difference;  ///< what differs: "result 0: largest difference 0.5"
  std::string op;          ///< the first operator that differs: "aten::add.Tensor"; "" if not found
  compiler::SourceLine source;  ///< where user code calls it
  std::string graph;            ///< the graph that it is in: "graph_0_0_0"
};

std::ostream& operator<<(std::ostream& stream, const Bisection& bisection);

namespace compiler {

/// A function over tensors alone: its arguments' tensors in, its results' tensors out.
using TensorFunction = std::function<std::vector<at::Tensor>(std::vector<at::Tensor>)>;

/// `compiledWith` gives the function compiled with a backend.
Bisection bisectLayers(const std::vector<at::Tensor>& arguments, const TensorFunction& plain,
                       const std::function<TensorFunction(Backend)>& compiledWith,
                       const BackendChoice& backend);

/// Tensors among leaves.
std::vector<at::Tensor> tensorsOf(const Leaves& leaves);

/// Calls `fn` with arguments that have other tensors in the place of their own.
template <class Fn, class... Args>
std::vector<at::Tensor> callWith(Fn& fn, const Leaves& leaves,
                                 const std::vector<at::Tensor>& tensors) {
  LeafReader reader(leaves, tensors);
  std::tuple<std::decay_t<Args>...> arguments{ArgumentTraits<std::decay_t<Args>>::build(reader)...};
  const auto result =
      std::apply([&](auto&... values) { return invokeCallable(fn, values...); }, arguments);
  Leaves made;
  ArgumentTraits<std::decay_t<decltype(result)>>::flatten(result, made);
  return tensorsOf(made);
}

}  // namespace compiler

/// Gives a function that runs `fn` plainly, then compiled with one more layer at a time, on copies
/// of its arguments, and says where results, written arguments or gradients first differ by more
/// than rounding: `std::cout << jitscope::bisect(step)(x, w)`. The operator is found by running
/// ever longer beginnings of the graph. `fn` runs several times; it must give a result.
template <class Fn>
auto bisect(Fn fn, CompileOptions options = {}) {
  return [fn = std::move(fn), options = std::move(options)](auto&&... args) mutable {
    compiler::Leaves leaves;
    (compiler::ArgumentTraits<std::decay_t<decltype(args)>>::flatten(args, leaves), ...);
    const compiler::TensorFunction plain = [&](std::vector<at::Tensor> tensors) {
      return compiler::callWith<Fn, decltype(args)...>(fn, leaves, tensors);
    };
    const auto compiledWith = [&](compiler::Backend backend) -> compiler::TensorFunction {
      CompileOptions chosen = options;
      chosen.backend = std::move(backend);
      return [&leaves, compiled = compile(fn, chosen)](std::vector<at::Tensor> tensors) mutable {
        return compiler::callWith<decltype(compiled), decltype(args)...>(compiled, leaves, tensors);
      };
    };
    return compiler::bisectLayers(compiler::tensorsOf(leaves), plain, compiledWith,
                                  options.backend);
  };
}

}  // namespace jitscope
