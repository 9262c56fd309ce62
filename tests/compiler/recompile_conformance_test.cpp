// How often torch.compile compiles in known situations (test_recompiles.py, test_misc.py and
// test_subgraphs.py of PyTorch), as facts for ours. Left out, because C++ has no such thing:
//  - unbacked sizes (3, 2, 1, 0 in two compilations): a size 0 or 1 is always compiled for itself
//  - item() captured (4 operators): it always breaks, since C++ code gets a plain number
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>

#include "compiler/compiler.h"
#include "tests/compiler/counting_backend.h"
#include "tests/compiler/source_lines.h"

namespace jitscope::compiler {
namespace {

at::Tensor product(const at::Tensor& x, const at::Tensor& y) { return x * y; }

int64_t compilesOfProducts(std::optional<bool> dynamic) {
  const CompileCounter counter;
  const auto compiled = compile(product, {.backend = counter.backend(), .dynamic = dynamic});
  for (const int64_t size : {2, 3, 4, 4, 5, 5, 6}) {
    const at::Tensor x = at::randn({size}), y = at::randn({size});
    EXPECT_TRUE(at::equal(compiled(x, y), x * y)) << "size " << size;
  }
  EXPECT_EQ(compiled.frame().counts().compiles, counter.graphs());
  return counter.graphs();
}

TEST(RecompileConformance, ChangingSizesCompileTwiceWhenAutomatic) {
  EXPECT_EQ(compilesOfProducts(std::nullopt), 2);
}
TEST(RecompileConformance, ChangingSizesCompileEachTimeWhenStatic) {
  EXPECT_EQ(compilesOfProducts(false), 5);
}
TEST(RecompileConformance, ChangingSizesCompileOnceWhenDynamic) {
  EXPECT_EQ(compilesOfProducts(true), 1);
}

at::Tensor scaledIf(const at::Tensor& x, bool isScaled) { return isScaled ? x * 2 : x + 1; }

int64_t compilesWithAFlippingFlag(std::optional<bool> dynamic) {
  const CompileCounter counter;
  const auto compiled = compile(scaledIf, {.backend = counter.backend(), .dynamic = dynamic});
  bool flag = false;
  for (const int64_t size : {2, 3, 4, 5, 6}) {
    const at::Tensor x = at::randn({size});
    EXPECT_TRUE(at::equal(compiled(x, flag), scaledIf(x, flag)));
    flag = !flag;
  }
  return counter.graphs();
}

TEST(RecompileConformance, AFlagThatFlipsAlongCostsOneMore) {
  EXPECT_EQ(compilesWithAFlippingFlag(false), 5);
  EXPECT_EQ(compilesWithAFlippingFlag(std::nullopt), 3);
}

TEST(RecompileConformance, AliasedArgumentsAreAnotherEntry) {
  const CompileCounter counter;
  const auto compiled = compile(
      [](at::Tensor a, at::Tensor b, at::Tensor c) {
        a.add_(b);
        return c + 1;
      },
      {.backend = counter.backend()});
  const auto fresh = [] { return at::ones({3}); };
  compiled(fresh(), fresh(), fresh());
  EXPECT_EQ(counter.graphs(), 1);
  compiled(fresh(), fresh(), fresh());
  EXPECT_EQ(counter.graphs(), 1);
  const at::Tensor x = fresh();
  EXPECT_TRUE(at::equal(compiled(x, fresh(), x), at::full({3}, 3.0)));
  EXPECT_EQ(counter.graphs(), 2);
}

TEST(RecompileConformance, AliasedGuardedValuesAreAnotherEntry) {
  const CompileCounter counter;
  const auto fresh = [] { return at::ones({3}); };
  Guarded<at::Tensor> a(fresh()), b(fresh()), c(fresh());
  const auto compiled = compile(
      [a, b, c] {
        a.get().add_(b.get());
        return c.get() + 1;
      },
      {.backend = counter.backend()});
  compiled();
  EXPECT_EQ(counter.graphs(), 1);
  const at::Tensor x = fresh();
  a.set(x), b.set(fresh()), c.set(x);
  EXPECT_TRUE(at::equal(compiled(), at::full({3}, 3.0)));
  EXPECT_EQ(counter.graphs(), 2);
}

/// Multiplies by a parameter that is replaced when it shall have another size.
struct ReplacedParameter : torch::nn::Module {
  at::Tensor forward(const at::Tensor& x) { return x.matmul(weight); }
  void replace(int64_t size) {
    if (weight.defined() && weight.size(1) == size) return;
    weight = at::randn({2, size});
    parameters_.clear();
    register_parameter("weight", weight);
  }
  at::Tensor weight;
};

int64_t compilesWithParametersOf(std::initializer_list<int64_t> sizes, CompileOptions options) {
  const auto module = std::make_shared<ReplacedParameter>();
  const auto compiled = compile(module, std::move(options));
  for (const int64_t size : sizes) {
    module->replace(size);
    const at::Tensor x = at::randn({4, 2});
    EXPECT_TRUE(at::equal(compiled(x), x.matmul(module->weight))) << "size " << size;
  }
  return compiled.frame().counts().compiles;
}

TEST(RecompileConformance, ParametersOfOtherSizesAreOtherEntriesUnlessFreed) {
  EXPECT_EQ(compilesWithParametersOf({1, 10, 11, 15, 15}, {}), 4);
  EXPECT_EQ(compilesWithParametersOf({1, 10, 11, 15, 15}, {.forceParameterStaticShapes = false}),
            2);
  EXPECT_EQ(compilesWithParametersOf({1, 10, 11, 15, 15},
                                     {.dynamic = false, .forceParameterStaticShapes = false}),
            4);
}

TEST(RecompileConformance, AtTheLimitMissesRunEagerlyAndEntriesStillHit) {
  const CompileCounter counter;
  const auto compiled =
      compile([](at::Tensor x, int64_t n) { return x + n; },
              {.backend = counter.backend(), .dynamic = false, .recompileLimit = 2});
  const at::Tensor x = at::zeros({2});
  for (int64_t n = 0; n < 10; ++n) EXPECT_TRUE(at::equal(compiled(x, n), x + n));
  EXPECT_EQ(counter.graphs(), 2);
  EXPECT_EQ(compiled.frame().counts().eager, 8);
  const int64_t hits = compiled.frame().counts().hits;
  compiled(x, int64_t{0});
  compiled(x, int64_t{1});
  EXPECT_EQ(compiled.frame().counts().hits, hits + 2);
}

TEST(RecompileConformance, TheAccumulatedLimitCountsAllCompilations) {
  const auto compiled = compile([](at::Tensor x, double p) { return x * p; },
                                {.recompileLimit = 100, .accumulatedRecompileLimit = 3});
  for (int i = 0; i < 6; ++i) compiled(at::ones({2}), i * 0.5);
  EXPECT_EQ(compiled.frame().counts().compiles, 3);
}

TEST(RecompileConformance, ClosedOverIntegersBecomeDynamic) {
  const CompileCounter counter;
  Guarded<int64_t> n(3);
  const auto compiled =
      compile([n](at::Tensor x) { return x * n.get(); }, {.backend = counter.backend()});
  for (const int64_t value : {3, 4, 5, 6}) {
    n.set(value);
    EXPECT_TRUE(at::equal(compiled(at::ones({2})), at::full({2}, double(value))));
  }
  EXPECT_EQ(counter.graphs(), 2);
}

TEST(RecompileConformance, AMarkedStaticSizeIsCompiledForItself) {
  const CompileCounter counter;
  const auto compiled = compile([](at::Tensor x) { return x * 2; }, {.backend = counter.backend()});
  for (const int64_t size : {3, 4}) {
    const at::Tensor x = at::ones({size});
    markStatic(x, 0);
    compiled(x);
  }
  EXPECT_EQ(counter.graphs(), 2);
  EXPECT_FALSE(compiled.frame().entries().front().isDynamic);
}

TEST(RecompileConformance, AMarkedDynamicSizeCompilesOnceAndOneForItself) {
  const CompileCounter counter;
  const auto compiled = compile([](at::Tensor x) { return x * 2; }, {.backend = counter.backend()});
  const auto call = [&](int64_t size) {
    const at::Tensor x = at::ones({size});
    markDynamic(x, 0);
    EXPECT_TRUE(at::equal(compiled(x), x * 2));
    return compiled.frame().counts().compiles;
  };
  EXPECT_EQ(call(3), 1);
  EXPECT_EQ(call(4), 1);
  EXPECT_EQ(call(1), 2);
}

TEST(RecompileConformance, AMarkOnASizeThatCodeMakesAConstantIsAnError) {
  NEEDS_SOURCE_LINES();
  const auto compiled = compile([](at::Tensor x) { return x.size(0) == 3 ? x.sin() : x.cos(); });
  const auto call = [&](int64_t size) {
    const at::Tensor x = at::ones({size});
    markDynamic(x, 0);
    compiled(x);
  };
  call(3);
  try {
    call(4);
    FAIL() << "no error";
  } catch (const ConstraintViolationError& error) {
    EXPECT_NE(std::string(error.what()).find("L['arg0'].size()[0]"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("recompile_conformance_test.cpp"), std::string::npos)
        << error.what();
  }
}

TEST(RecompileConformance, AMarkIsFineWhereCodeOnlyComparesOnOneSide) {
  const auto compiled = compile([](at::Tensor x) { return x.size(0) > 3 ? x.sin() : x.cos(); });
  for (const int64_t size : {5, 6, 9}) {
    const at::Tensor x = at::ones({size});
    markDynamic(x, 0);
    EXPECT_TRUE(at::equal(compiled(x), x.sin()));
  }
  EXPECT_EQ(compiled.frame().counts().compiles, 1);
}

TEST(RecompileConformance, ABranchOnASizeIsFollowedAlsoWhenItWasBakedIn) {
  const auto compiled = compile([](at::Tensor x) { return x.size(0) > 4 ? x.sin() : x.cos(); });
  for (const int64_t size : {2, 3, 4, 5, 9, 3}) {
    const at::Tensor x = at::ones({size});
    EXPECT_TRUE(at::allclose(compiled(x), size > 4 ? x.sin() : x.cos())) << "size " << size;
  }
}

TEST(RecompileConformance, MaybeMarkedSizesAreQuietlyStaticWhereCodeNeedsIt) {
  const auto compiled = compile([](at::Tensor x) { return x.size(0) == 3 ? x.sin() : x.cos(); });
  for (const int64_t size : {3, 4, 5}) {
    const at::Tensor x = at::ones({size});
    maybeMarkDynamic(x, 0);
    EXPECT_TRUE(at::equal(compiled(x), size == 3 ? x.sin() : x.cos()));
  }
}

TEST(RecompileConformance, EachGlobalStateIsCompiledOnce) {
  const CompileCounter counter;
  const auto compiled = compile([](at::Tensor x) { return x * 2; }, {.backend = counter.backend()});
  at::Context& context = at::globalContext();
  const bool allowedTf32 = context.allowTF32CuBLAS();
  for (int round = 0; round < 3; ++round) {
    for (int flag = 0; flag < 3; ++flag) {
      const c10::AutoGradMode gradMode(flag == 0);
      context.setDeterministicAlgorithms(flag == 1, false);
      context.setAllowTF32CuBLAS(flag == 2);
      compiled(at::ones({3}));
      EXPECT_EQ(counter.graphs(), round == 0 ? flag + 1 : 3);
    }
  }
  context.setDeterministicAlgorithms(false, false);
  context.setAllowTF32CuBLAS(allowedTf32);
}

TEST(RecompileConformance, ANumberReadAtTheEndLeavesOneGraph) {
  const CompileCounter counter;
  const auto compiled =
      compile([](at::Tensor a, at::Tensor b) { return (a + b).sum().item<double>(); },
              {.backend = counter.backend()});
  for (int call = 0; call < 2; ++call) EXPECT_EQ(compiled(at::ones({3}), at::ones({3})), 6);
  EXPECT_EQ(counter.graphs(), 1);
  EXPECT_EQ(counter.ops(), 2);
}

TEST(RecompileConformance, DynamicCompilesAllSizesFromTwoOnOnce) {
  const CompileCounter counter;
  const auto compiled = compile([](at::Tensor x) { return at::relu(x + 1).sum(); },
                                {.backend = counter.backend(), .dynamic = true});
  for (int64_t size = 2; size <= 11; ++size) compiled(at::ones({size, size + 1}));
  EXPECT_EQ(compiled.frame().counts().compiles, 1);
}

TEST(RecompileConformance, EqualSizesShareASymbolUntilTheyDiffer) {
  const CompileCounter counter;
  const auto compiled = compile([](at::Tensor x, at::Tensor y) { return x.sum() + y.sum(); },
                                {.backend = counter.backend(), .dynamic = true});
  compiled(at::ones({5}), at::ones({5}));
  compiled(at::ones({7}), at::ones({7}));
  EXPECT_EQ(compiled.frame().counts().compiles, 1);
  compiled(at::ones({5}), at::ones({6}));
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
}

TEST(RecompileConformance, SizeZeroIsCompiledForItself) {
  const CompileCounter counter;
  const auto compiled =
      compile([](at::Tensor x) { return x * 2; }, {.backend = counter.backend(), .dynamic = true});
  compiled(at::ones({5}));
  compiled(at::ones({0}));
  EXPECT_EQ(counter.graphs(), 2);
}

TEST(RecompileConformance, EqualSizesAreTwoEntriesInEitherOrder) {
  const at::Tensor x = at::ones({2}), y = at::ones({3});
  for (const bool isEqualFirst : {false, true}) {
    const auto compiled =
        compile([](at::Tensor a, at::Tensor b) { return a.sum() + b.sum(); }, {.dynamic = true});
    for (const bool isEqual : {isEqualFirst, !isEqualFirst}) compiled(x, isEqual ? x : y);
    EXPECT_EQ(compiled.frame().counts().compiles, 2);
  }
}

TEST(RecompileConformance, SwappedArgumentsOfOtherSizesAreAnotherEntry) {
  const CompileCounter counter;
  const auto compiled = compile([](at::Tensor x, at::Tensor y) { return at::matmul(x, y); },
                                {.backend = counter.backend(), .dynamic = false});
  const at::Tensor a = at::ones({2, 3}), b = at::ones({3, 2});
  EXPECT_EQ(compiled(a, b).sizes(), (c10::IntArrayRef{2, 2}));
  EXPECT_EQ(compiled(b, a).sizes(), (c10::IntArrayRef{3, 3}));
  EXPECT_EQ(counter.graphs(), 2);
}

}  // namespace
}  // namespace jitscope::compiler
