#include "compiler/bisect.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/allclose.h>
#include <ATen/ops/ones_like.h>
#include <fmt/format.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <optional>
#include <ostream>

#include "compiler/aot/graph_prefix.h"
#include "compiler/backend.h"
#include "compiler/frontend/random_state.h"

namespace jitscope {
namespace compiler {
namespace {

using Tensors = std::vector<at::Tensor>;

/// What one run shows.
struct Outcome {
  Tensors results, arguments, gradients;
  std::string error;
};

Tensors copiesOf(std::span<const at::Tensor> tensors) {
  Tensors copies;
  for (const at::Tensor& tensor : tensors) {
    at::Tensor copy = tensor.defined() ? tensor.detach().clone() : at::Tensor();
    if (copy.defined() && tensor.requires_grad()) copy.requires_grad_(true);
    copies.push_back(std::move(copy));
  }
  return copies;
}

/// With the random numbers that come next; leaves them.
Outcome outcomeOf(const TensorFunction& function, std::span<const at::Tensor> arguments) {
  const RandomState random = RandomState::current();
  Outcome outcome;
  const Tensors given = copiesOf(arguments);
  try {
    outcome.results = function(given);
    Tensors leaves, roots, tangents;
    for (const at::Tensor& argument : given) {
      if (argument.defined() && argument.requires_grad() && argument.is_leaf())
        leaves.push_back(argument);
    }
    for (const at::Tensor& result : outcome.results) {
      if (!result.defined() || !result.grad_fn()) continue;
      roots.push_back(result);
      tangents.push_back(at::ones_like(result));
    }
    if (!leaves.empty() && !roots.empty()) {
      outcome.gradients = torch::autograd::grad(roots, leaves, tangents, false, false, true);
    }
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  random.restore();
  for (const at::Tensor& argument : given) {
    outcome.arguments.push_back(argument.defined() ? argument.detach() : argument);
  }
  return outcome;
}

struct Tolerance {
  double relative, absolute;
};

/// Those of torch.testing.assert_close.
Tolerance toleranceOf(at::ScalarType type) {
  switch (type) {
    case at::kHalf:
      return {1e-3, 1e-5};
    case at::kBFloat16:
      return {1.6e-2, 1e-5};
    case at::kDouble:
    case at::kComplexDouble:
      return {1e-7, 1e-7};
    case at::kFloat:
    case at::kComplexFloat:
      return {1.3e-6, 1e-5};
    default:
      return {0, 0};
  }
}

std::string differenceOf(const at::Tensor& expected, const at::Tensor& actual) {
  if (expected.defined() != actual.defined()) return "one is absent";
  if (!expected.defined()) return {};
  if (expected.sizes() != actual.sizes() || expected.scalar_type() != actual.scalar_type()) {
    return "size or dtype differs";
  }
  const auto [relative, absolute] = toleranceOf(expected.scalar_type());
  const at::NoGradGuard noGrad;
  if (at::allclose(actual, expected, relative, absolute, /*equal_nan=*/true)) return {};
  const auto largest = (actual.to(at::kDouble) - expected.to(at::kDouble)).abs().max();
  return fmt::format("largest difference {}", largest.item<double>());
}

std::string differenceOf(const Tensors& expected, const Tensors& actual, std::string_view what) {
  if (expected.size() != actual.size()) {
    return fmt::format("{} {}s, not {}", actual.size(), what, expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const std::string difference = differenceOf(expected[i], actual[i]);
    if (!difference.empty()) return fmt::format("{} {}: {}", what, i, difference);
  }
  return {};
}

std::string differenceOf(const Outcome& expected, const Outcome& actual) {
  if (expected.error.empty() != actual.error.empty()) {
    return actual.error.empty() ? "it throws nothing" : "it throws: " + actual.error;
  }
  std::string difference = differenceOf(expected.results, actual.results, "result");
  if (difference.empty()) {
    difference = differenceOf(expected.arguments, actual.arguments, "argument");
  }
  return difference.empty() ? differenceOf(expected.gradients, actual.gradients, "gradient")
                            : difference;
}

/// A graph that a backend got, and the tensors that it got with it.
struct SeenGraph {
  Graph graph;
  Tensors examples;
};

/// Compares a graph's beginnings, compiled, with themselves operator by operator.
class OperatorSearch {
 public:
  OperatorSearch(const SeenGraph& seen, const Backend& backend) : seen_(seen), backend_(backend) {}

  /// The first node with which they differ.
  std::optional<size_t> find() const {
    size_t good = 0, bad = seen_.graph.nodes.size();
    if (!differsAt(bad)) return std::nullopt;
    while (bad - good > 1) {
      const size_t middle = good + (bad - good) / 2;
      (differsAt(middle) ? bad : good) = middle;
    }
    return bad - 1;
  }

 private:
  bool differsAt(size_t count) const {
    if (count == 0) return false;
    const Graph graph = prefixOf(seen_.graph, count);
    std::vector<int64_t> symbols;
    for (const GraphSymbol& symbol : graph.symbols) symbols.push_back(symbol.hint);
    const auto outcomeWith = [&](const Backend& backend) {
      return outcomeOf(
          [&](const Tensors& inputs) { return backend(graph, inputs)(inputs, symbols); },
          seen_.examples);
    };
    const Backend eager = backendByName("eager");
    return !differenceOf(outcomeWith(eager), outcomeWith(backend_)).empty();
  }

  const SeenGraph& seen_;
  const Backend& backend_;
};

}  // namespace

std::vector<at::Tensor> tensorsOf(const Leaves& leaves) {
  std::vector<at::Tensor> tensors;
  for (const Leaf& leaf : leaves) {
    if (leaf.kind == Leaf::Kind::kTensor) tensors.push_back(*leaf.tensor);
  }
  return tensors;
}

Bisection bisectLayers(const std::vector<at::Tensor>& arguments, const TensorFunction& plain,
                       const std::function<TensorFunction(Backend)>& compiledWith,
                       const BackendChoice& backend) {
  const Outcome expected = outcomeOf(plain, arguments);
  std::vector<std::pair<std::string, Backend>> layers;
  for (const char* name : {"eager", "aot_eager"}) layers.emplace_back(name, backendByName(name));
  const bool isFurther = backend.name() != "eager" && backend.name() != "aot_eager";
  if (isFurther) layers.emplace_back(backend.name(), backend.resolve());
  for (const auto& named : layers) {
    const std::string& name = named.first;
    const Backend& layer = named.second;
    std::vector<SeenGraph> seen;
    const TensorFunction compiled =
        compiledWith([&seen, &layer](const Graph& graph, std::span<const at::Tensor> examples) {
          seen.push_back({graph, copiesOf(examples)});
          return layer(graph, examples);
        });
    // The first call is captured, the second replays or runs the graph alone.
    std::string difference = differenceOf(expected, outcomeOf(compiled, arguments));
    if (difference.empty()) difference = differenceOf(expected, outcomeOf(compiled, arguments));
    if (difference.empty()) continue;
    Bisection found{name, difference, {}, {}, {}};
    for (const SeenGraph& graph : seen) {
      const auto position = OperatorSearch(graph, layer).find();
      if (!position) continue;
      const Node& node = graph.graph.nodes[*position];
      found.op = node.overload.empty() ? node.op : node.op + "." + node.overload;
      found.source = node.source;
      found.graph = graph.graph.name;
      break;
    }
    return found;
  }
  return {};
}

}  // namespace compiler

std::ostream& operator<<(std::ostream& stream, const Bisection& bisection) {
  if (bisection.layer.empty()) return stream << "All layers agree with plain execution.\n";
  stream << fmt::format("Layer \"{}\" differs from plain execution: {}\n", bisection.layer,
                        bisection.difference);
  if (bisection.op.empty()) return stream << "No single operator of its graphs differs.\n";
  stream << fmt::format("First operator that differs: {} in {}\n", bisection.op, bisection.graph);
  if (bisection.source.file.empty()) return stream;
  return stream << fmt::format("  called at {}:{} in {}\n", bisection.source.file,
                               bisection.source.line, bisection.source.function);
}

}  // namespace jitscope
