#include "tests/compiler/aot/catalogue.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <optional>

#include "compiler/aot.h"
#include "compiler/compile.h"
#include "tests/compiler/differential.h"
#include "tests/compiler/generator_state.h"

namespace jitscope::compiler {
namespace {

/// Counts what it is asked to compile.
struct CountedBackend {
  std::shared_ptr<int> graphs = std::make_shared<int>(0);

  Backend backend() const {
    return aheadOfTime([graphs = graphs](const Graph& graph, std::span<const at::Tensor>) {
      ++*graphs;
      return interpret(graph);
    });
  }
};

/// Everything that can be seen of one call.
struct Seen {
  Tensors inputs, results, gradients;
  std::vector<int64_t> versions;
  std::string sharing, error;
  at::Tensor generator;
};

std::string sharingOf(const Tensors& inputs, const Tensors& results) {
  Tensors all = inputs;
  all.insert(all.end(), results.begin(), results.end());
  std::string text;
  for (size_t i = 0; i < all.size(); ++i) {
    if (!all[i].defined()) continue;
    text += all[i].requires_grad() ? (all[i].is_leaf() ? " leaf" : " grad") : " plain";
    text += all[i].is_inference() ? " inference" : "";
    for (size_t j = 0; j < i; ++j) {
      if (!all[j].defined()) continue;
      if (all[i].is_same(all[j])) {
        text += " is" + std::to_string(j);
      } else if (all[i].has_storage() && all[j].has_storage() &&
                 all[i].storage().is_alias_of(all[j].storage())) {
        text += " shares" + std::to_string(j);
      }
    }
  }
  return text;
}

/// Gradients of all inputs for random tangents of the results that `isFor` names.
Tensors gradientsOf(const Tensors& leaves, const Tensors& results, size_t only) {
  Tensors roots, tangents;
  for (size_t i = 0; i < results.size(); ++i) {
    const at::Tensor& result = results[i];
    if (!result.defined() || !result.requires_grad() || !result.grad_fn()) continue;
    if (only < results.size() && i != only) continue;
    at::manual_seed(77 + i);
    roots.push_back(result);
    tangents.push_back(at::randn_like(result));
  }
  if (roots.empty() || leaves.empty()) return {};
  return torch::autograd::grad(roots, leaves, tangents, /*retain_graph=*/true, false,
                               /*allow_unused=*/true);
}

Seen see(const CatalogueCase& testCase, int seed,
         const std::function<Tensors(const Tensors&)>& call) {
  at::manual_seed(static_cast<uint64_t>(seed));
  Seen seen;
  const Tensors made = testCase.inputs();
  Tensors leaves;
  for (const at::Tensor& input : made) {
    if (input.requires_grad() && std::none_of(leaves.begin(), leaves.end(), [&](const auto& leaf) {
          return leaf.is_same(input);
        })) {
      leaves.push_back(input);
    }
  }
  at::manual_seed(static_cast<uint64_t>(seed) + 1);
  try {
    seen.results = call(made);
  } catch (const std::exception& error) {
    seen.error = std::string("threw ") + typeid(error).name();
  }
  seen.generator = generatorState();
  seen.sharing = sharingOf(made, seen.results);
  for (const at::Tensor& input : made) {
    seen.inputs.push_back(input.layout() == at::kStrided ? input.detach().clone() : input);
    seen.versions.push_back(input.is_inference() ? 0 : input._version());
  }
  for (size_t only = 0; only <= seen.results.size(); ++only) {
    try {
      const Tensors gradients = gradientsOf(leaves, seen.results, only);
      seen.gradients.insert(seen.gradients.end(), gradients.begin(), gradients.end());
    } catch (const std::exception&) {
      seen.gradients.push_back(at::scalar_tensor(-1));
    }
  }
  return seen;
}

bool isClose(const at::Tensor& left, const at::Tensor& right, double tolerance) {
  if (tolerance == 0 || !left.defined() || !right.defined()) return isSameBits(left, right);
  return at::allclose(left, right, tolerance, tolerance, /*equal_nan=*/true);
}

void expectSame(const Tensors& eager, const Tensors& compiled, const char* what, double tolerance) {
  ASSERT_EQ(eager.size(), compiled.size()) << what;
  for (size_t i = 0; i < eager.size(); ++i) {
    ASSERT_EQ(eager[i].defined(), compiled[i].defined()) << what << ' ' << i;
    EXPECT_TRUE(isClose(eager[i], compiled[i], tolerance)) << what << ' ' << i << "\neager\n"
                                                           << eager[i] << "\ncompiled\n"
                                                           << compiled[i];
  }
}

class Catalogue : public testing::TestWithParam<CatalogueCase> {};

TEST_P(Catalogue, DoesAsEager) {
  const CatalogueCase& testCase = GetParam();
  const CountedBackend counted;
  CompileOptions options;
  options.backend = counted.backend();
  const auto compiled = compile(testCase.function, options);
  for (int seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("call " + std::to_string(seed));
    const Seen eager = see(testCase, seed, testCase.function);
    const Seen actual =
        see(testCase, seed, [&](const Tensors& inputs) { return compiled(inputs); });
    EXPECT_EQ(eager.error, actual.error);
    EXPECT_EQ(eager.error.empty(), testCase.verdict != CatalogueCase::Verdict::kThrows);
    EXPECT_EQ(eager.sharing, actual.sharing);
    EXPECT_EQ(eager.versions, actual.versions);
    EXPECT_TRUE(isSameBits(eager.generator, actual.generator)) << "generator";
    expectSame(eager.inputs, actual.inputs, "input", testCase.tolerance);
    expectSame(eager.results, actual.results, "result", testCase.tolerance);
    expectSame(eager.gradients, actual.gradients, "gradient", testCase.tolerance);
  }
  EXPECT_EQ(*counted.graphs > 0, testCase.verdict == CatalogueCase::Verdict::kCompiled);
}

std::string nameOf(const testing::TestParamInfo<CatalogueCase>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Networks, Catalogue, testing::ValuesIn(networkCases()), nameOf);
INSTANTIATE_TEST_SUITE_P(Inputs, Catalogue, testing::ValuesIn(inputCases()), nameOf);
INSTANTIATE_TEST_SUITE_P(Outputs, Catalogue, testing::ValuesIn(outputCases()), nameOf);
INSTANTIATE_TEST_SUITE_P(Modes, Catalogue, testing::ValuesIn(modeCases()), nameOf);

}  // namespace
}  // namespace jitscope::compiler
