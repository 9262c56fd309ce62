#include "tests/compiler/differential.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <sstream>

#include "tests/compiler/generator_state.h"

namespace jitscope::compiler {
namespace {

std::string kindOf(const Tensors& inputs) {
  std::ostringstream key;
  key << c10::GradMode::is_enabled() << c10::InferenceMode::is_enabled();
  for (size_t i = 0; i < inputs.size(); ++i) {
    const auto& t = inputs[i];
    key << '|' << t.dtype() << t.sizes() << t.strides() << t.requires_grad() << t.layout();
    for (size_t j = 0; j < i; ++j) {
      if (t.layout() == at::kStrided && t.is_alias_of(inputs[j])) key << 'a' << j;
    }
  }
  return key.str();
}

/// Gradients that come on several ways are summed up in an order of its own by each backend.
constexpr double kOfSums = 1e-5;

struct Outcome {
  Tensors results, kept;
  at::Tensor generator;
  std::string error;
};

Outcome runOnce(const DifferentialCase& testCase, const std::function<Tensors()>& call,
                int number) {
  Outcome outcome;
  testCase.before(number);
  at::manual_seed(100 + static_cast<uint64_t>(number));
  try {
    outcome.results = call();
  } catch (const std::exception& thrown) {
    // LibTorch's own texts differ in their stack traces.
    outcome.error = std::string("threw ") + typeid(thrown).name();
  }
  outcome.generator = generatorState();
  outcome.kept = testCase.kept();
  return outcome;
}

Tensors copies(const Tensors& tensors) {
  Tensors made;
  for (const auto& tensor : tensors) {
    auto copy = tensor.detach().clone(at::MemoryFormat::Preserve);
    made.push_back(tensor.requires_grad() ? copy.requires_grad_(true) : copy);
  }
  return made;
}

/// The same bits, or with a tolerance the same numbers within it in whatever layout.
bool isNear(const at::Tensor& left, const at::Tensor& right, double tolerance) {
  if (tolerance == 0 || !left.defined() || !right.defined()) return isSameBits(left, right);
  if (left.sizes() != right.sizes() || left.scalar_type() != right.scalar_type()) return false;
  const double roundings = left.scalar_type() == at::kBFloat16 ? 0x1p-7
                           : left.scalar_type() == at::kHalf   ? 0x1p-10
                                                               : 0;
  const double allowed = std::max(tolerance, roundings);
  return at::allclose(left, right, allowed, allowed, /*equal_nan=*/true);
}

/// A hook that was registered after the call is given zeros ahead of time, where eagerly it is not
/// called: they may arrive at an input.
bool isNothing(const at::Tensor& gradient) {
  return !gradient.defined() || !gradient.count_nonzero().item<bool>();
}

bool isSame(const at::Tensor& left, const at::Tensor& right, double tolerance) {
  const bool isSameLayout =
      !left.defined() || !right.defined() || left.strides() == right.strides();
  return isSameLayout && isNear(left, right, tolerance);
}

void expectSame(const Tensors& eager, const Tensors& compiled, double tolerance,
                const std::string& what) {
  ASSERT_EQ(eager.size(), compiled.size()) << what;
  for (size_t i = 0; i < eager.size(); ++i) {
    EXPECT_TRUE(isSame(eager[i], compiled[i], tolerance)) << what << ' ' << i << "\neager\n"
                                                          << eager[i] << "\ncompiled\n"
                                                          << compiled[i];
    EXPECT_EQ(eager[i].requires_grad(), compiled[i].requires_grad()) << what << ' ' << i;
  }
}

/// Why the first result that requires gradient has no backward pass; empty when it has.
std::string errorOfBackward(Tensors& results) {
  try {
    for (auto& result : results) {
      if (!result.requires_grad()) continue;
      result.sum().backward();
      break;
    }
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

void expectSameGradients(Outcome& eager, Outcome& compiled, const Tensors& eagerInputs,
                         const Tensors& compiledInputs, double tolerance,
                         const std::string& where) {
  const auto eagerError = errorOfBackward(eager.results);
  const auto error = errorOfBackward(compiled.results);
  EXPECT_EQ(eagerError.empty(), error.empty()) << where << "backward: " << eagerError << error;
  const auto gradientOf = [](const at::Tensor& input) {
    return input.is_view() && !input.is_leaf() ? at::Tensor(input._base()).grad() : input.grad();
  };
  for (size_t i = 0; i < eagerInputs.size(); ++i) {
    const auto left = gradientOf(eagerInputs[i]), right = gradientOf(compiledInputs[i]);
    if (tolerance > 0 && isNothing(left) && isNothing(right)) continue;
    ASSERT_EQ(left.defined(), right.defined()) << where << "gradient " << i;
    if (!left.defined()) continue;
    EXPECT_TRUE(isNear(left, right, tolerance)) << where << "gradient " << i << '\n'
                                                << left << '\n'
                                                << right;
  }
}

}  // namespace

Program& CompiledFunction::programFor(const Tensors& inputs) {
  auto& program = programs_[kindOf(inputs)];
  if (!program) {
    ProgramContext context;
    context.hookInputs = hookInputs_;
    context.backend = [calls = backendCalls_, backend = backend_](
                          const Graph& graph, std::span<const at::Tensor> examples) {
      ++*calls;
      return backend(graph, examples);
    };
    std::vector<ProgramInput> names;
    for (size_t i = 0; i < inputs.size(); ++i) {
      names.push_back({"L['x" + std::to_string(i) + "']"});
    }
    program = std::make_unique<Program>(std::move(context), std::move(names),
                                        std::vector<ProgramSymbol>());
  }
  return *program;
}

Tensors CompiledFunction::operator()(const Tensors& inputs) {
  last_ = &programFor(inputs);
  Tensors results;
  report_ = {};
  report_ = last_->run(
      inputs, {},
      [&](std::span<const at::Tensor> given, Tensors& made) {
        made = function_(Tensors(given.begin(), given.end()));
      },
      results);
  return results;
}

DifferentialCase stateless(Tensors (*function)(const Tensors&), int inputCount, int calls,
                           bool requiresGrad) {
  return {.make = [function] { return Function(function); },
          .inputs = [=](int call) { return randomInputs(call, inputCount, requiresGrad); },
          .calls = calls};
}

std::vector<CallCounts> expectSameAsEager(const DifferentialCase& testCase) {
  const Function plain = testCase.make();
  CompiledFunction compiled(testCase.make(), /*hookInputs=*/true, testCase.backend);
  std::vector<CallCounts> counts;
  for (int i = 0; i < testCase.calls; ++i) {
    const auto where = "call " + std::to_string(i) + ": ";
    const Tensors originals = testCase.inputs(i);
    const bool isTwice = testCase.makesInputsTwice;
    const Tensors eagerInputs = isTwice ? originals : copies(originals);
    const Tensors compiledInputs = isTwice ? testCase.inputs(i) : copies(originals);
    auto eager = runOnce(
        testCase, [&] { return plain(eagerInputs); }, i);
    auto actual = runOnce(
        testCase, [&] { return compiled(compiledInputs); }, i);
    EXPECT_EQ(eager.error, actual.error) << where;
    EXPECT_TRUE(isSameBits(eager.generator, actual.generator)) << where << "generator";
    const double tolerance = testCase.tolerance;
    expectSame(eager.results, actual.results, tolerance, where + "result");
    expectSame(eager.kept, actual.kept, tolerance, where + "kept");
    expectSame(eagerInputs, compiledInputs, tolerance, where + "input");
    for (size_t j = 0; j < eagerInputs.size(); ++j) {
      EXPECT_EQ(eagerInputs[j]._version(), compiledInputs[j]._version())
          << where << "version of input " << j;
    }
    expectSameGradients(eager, actual, eagerInputs, compiledInputs,
                        testCase.backend == "eager" ? 0 : std::max(tolerance, kOfSums), where);
    const auto& report = compiled.report();
    counts.push_back({report.opsCaptured, report.opsMatched, report.segmentsRun, report.divergences,
                      report.breaks});
  }
  return counts;
}

RunReport settledReport(Tensors (*function)(const Tensors&)) {
  expectSameAsEager(stateless(function, 1, 6));
  CompiledFunction compiled(function);
  for (int call = 0; call < 6; ++call) compiled(randomInputs(call));
  return compiled.report();
}

bool isSameBits(const at::Tensor& left, const at::Tensor& right) {
  if (left.defined() != right.defined()) return false;
  if (!left.defined()) return true;
  if (left.sizes() != right.sizes() || left.strides() != right.strides() ||
      left.scalar_type() != right.scalar_type()) {
    return false;
  }
  const auto a = left.detach().contiguous(), b = right.detach().contiguous();
  return a.numel() == 0 || std::memcmp(a.const_data_ptr(), b.const_data_ptr(), a.nbytes()) == 0;
}

Tensors randomInputs(int seed, int count, bool requiresGrad) {
  at::manual_seed(static_cast<uint64_t>(seed));
  Tensors made;
  for (int i = 0; i < count; ++i) {
    auto tensor = at::randn({4, 4});
    made.push_back(requiresGrad ? tensor.requires_grad_(true) : tensor);
  }
  return made;
}

at::Tensor withBreak(const at::Tensor& x) { return x.sum().item<float>() > 1e9 ? x + 1 : x; }

}  // namespace jitscope::compiler
