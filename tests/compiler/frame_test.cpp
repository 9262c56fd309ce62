// Compiled functions as users meet them: kinds of callables, arguments and results, stances, limits
// of trust.
#include <ATen/ATen.h>
#include <ATen/SavedTensorHooks.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <thread>

#include "compiler/compiler.h"
#include "tests/compiler/counting_backend.h"
#include "tests/compiler/source_lines.h"

namespace jitscope::compiler {
namespace {

at::Tensor doubled(const at::Tensor& x) { return x * 2; }

TEST(CompiledFunction, SkipsUserCodeOfAFunctionWithoutState) {
  static int runs = 0;
  const auto compiled = compile([](at::Tensor x) {
    ++runs;
    return x * 2;
  });
  for (int call = 0; call < 4; ++call) {
    EXPECT_TRUE(at::equal(compiled(at::ones({3})), at::full({3}, 2.0)));
  }
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(compiled.frame().counts().hits, 3);
}

TEST(CompiledFunction, RunsUserCodeOfACallableWithStateEachTime) {
  int runs = 0;
  const auto compiled = compile([&runs](at::Tensor x) { return x * (++runs > 2 ? 3 : 2); });
  for (int call = 1; call <= 4; ++call) {
    EXPECT_TRUE(at::equal(compiled(at::ones({3})), at::full({3}, call > 2 ? 3.0 : 2.0)));
  }
  EXPECT_EQ(runs, 4);
}

TEST(CompiledFunction, TrustsTheUserWhoPromisesPurity) {
  int runs = 0;
  const auto compiled = compile(
      [&runs](at::Tensor x) {
        ++runs;
        return x * 2;
      },
      {.assumePure = true});
  for (int call = 0; call < 3; ++call) compiled(at::ones({3}));
  EXPECT_EQ(runs, 1);
}

TEST(CompiledFunction, GuardsArgumentsThatUserCodeMovesFrom) {
  Guarded<double> scale(2);
  const auto compiled = compile([scale](at::Tensor x, at::Tensor y, std::string mode) {
    const at::Tensor taken = std::move(x);
    const std::string kept = std::move(mode);
    return kept == "sum" ? taken * scale.get() + y : taken - y;
  });
  for (int call = 0; call < 3; ++call) {
    EXPECT_TRUE(
        at::equal(compiled(at::ones({3}), at::ones({3}), std::string("sum")), at::full({3}, 3.0)));
  }
  EXPECT_EQ(compiled.frame().counts().compiles, 1);
  const at::Tensor same = at::ones({3});
  EXPECT_TRUE(at::equal(compiled(same, same, std::string("sum")), at::full({3}, 3.0)));
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
}

using Structure = std::tuple<at::Tensor, std::vector<at::Tensor>, std::optional<at::Tensor>,
                             std::map<std::string, at::Tensor>, std::pair<int64_t, std::string>>;

Structure rearranged(const std::vector<at::Tensor>& list, const std::optional<at::Tensor>& maybe,
                     const std::map<std::string, at::Tensor>& named, int64_t n, double p, bool flag,
                     const std::string& mode) {
  const at::Tensor first = list[0] * p + (maybe ? *maybe : list[1]);
  return {first,
          {list[1], first.t()},
          flag ? std::optional(first + n) : std::nullopt,
          {{"a", named.at("x") - 1}, {"b", list[0]}},
          {n, mode + "!"}};
}

TEST(CompiledFunction, TakesAndGivesStructuresOfTensorsAndValues) {
  const auto compiled = compile(rearranged);
  for (int call = 0; call < 3; ++call) {
    const std::vector<at::Tensor> list = {at::randn({2, 2}), at::randn({2, 2})};
    const std::map<std::string, at::Tensor> named = {{"x", at::randn({3})}};
    const Structure expected = rearranged(list, list[1], named, 7, 0.5, true, "sum");
    const Structure actual =
        compiled(list, std::optional(list[1]), named, int64_t{7}, 0.5, true, std::string("sum"));
    EXPECT_TRUE(at::equal(std::get<0>(actual), std::get<0>(expected)));
    EXPECT_TRUE(std::get<1>(actual)[0].is_same(list[1]));
    EXPECT_TRUE(at::equal(std::get<1>(actual)[1], std::get<1>(expected)[1]));
    EXPECT_TRUE(at::equal(*std::get<2>(actual), *std::get<2>(expected)));
    EXPECT_TRUE(at::equal(std::get<3>(actual).at("a"), std::get<3>(expected).at("a")));
    EXPECT_EQ(std::get<4>(actual), (std::pair<int64_t, std::string>{7, "sum!"}));
  }
  EXPECT_EQ(compiled.frame().counts().compiles, 1);
}

TEST(CompiledFunction, GuardsLengthsPresenceKeysAndText) {
  const auto compiled = compile(rearranged, {.argumentNames = {"list", "maybe"}});
  const std::vector<at::Tensor> list = {at::ones({2, 2}), at::ones({2, 2})};
  const std::map<std::string, at::Tensor> named = {{"x", at::ones({3})}};
  const auto reasonAfter = [&](auto&&... args) {
    compiled(std::forward<decltype(args)>(args)...);
    return compiled.frame().recompiles().back().failures.back();  // of the first entry
  };
  const std::string sum = "sum";
  compiled(list, std::optional(list[1]), named, int64_t{1}, 0.5, true, sum);
  EXPECT_NE(reasonAfter(list, std::optional<at::Tensor>(), named, int64_t{1}, 0.5, true, sum)
                .find("L['maybe'] is not None"),
            std::string::npos);
  auto longer = list;
  longer.push_back(at::ones({1}));
  EXPECT_NE(reasonAfter(longer, std::optional(list[1]), named, int64_t{1}, 0.5, true, sum)
                .find("len(L['list']) == 2"),
            std::string::npos);
  EXPECT_NE(
      reasonAfter(list, std::optional(list[1]), named, int64_t{1}, 0.5, true, std::string("mean"))
          .find("L['arg6'] == 'sum'"),
      std::string::npos);
}

TEST(CompiledFunction, PassesOnWhatUserCodeThrowsAndRecordsNothing) {
  const CompileCounter counter;
  static bool fails = true;
  const auto compiled = compile(
      [](at::Tensor x) {
        const at::Tensor y = x * 2;
        if (fails) throw std::out_of_range("user's own");
        return y + 1;
      },
      {.backend = counter.backend()});
  EXPECT_THROW(compiled(at::ones({2})), std::out_of_range);
  EXPECT_TRUE(compiled.frame().entries().empty());
  fails = false;
  EXPECT_TRUE(at::equal(compiled(at::ones({2})), at::full({2}, 3.0)));
  fails = true;
}

TEST(CompiledFunction, SeesPointersToItsArguments) {
  const auto compiled =
      compile([](at::Tensor x, at::Tensor y) { return y * x.data_ptr<float>()[0]; });
  const at::Tensor rows = at::arange(8, at::kFloat).view({4, 2});
  for (int row = 0; row < 4; ++row) {
    // A view, as a batch out of a larger tensor is one.
    EXPECT_TRUE(at::equal(compiled(rows[row], at::ones({3})), at::full({3}, row * 2.0)));
  }
}

TEST(CompiledFunction, GivesTheCallersTensorsBackWhereItHandedOutStandIns) {
  const auto compiled = compile([](at::Tensor x, at::Tensor y) {
    x.add_(1);
    graphBreak();
    return std::make_tuple(x, y, x.is_same(y));
  });
  for (int call = 0; call < 3; ++call) {
    const at::Tensor x = at::zeros({2}), base = at::zeros({2, 2});
    const int64_t version = x._version();
    const auto [a, b, isSame] = compiled(x, base[1]);
    EXPECT_TRUE(a.is_same(x));
    EXPECT_TRUE(b.is_view());
    EXPECT_TRUE(b._base().is_same(base));
    EXPECT_FALSE(isSame);
    const auto [c, d, isSameNow] = compiled(x, x);
    EXPECT_TRUE(c.is_same(x) && d.is_same(x) && isSameNow);
    EXPECT_EQ(x._version(), version + 2);
  }
}

TEST(CompiledFunction, BecomesDynamicAlsoWhenReplaysHaveSplitASegment) {
  const auto compiled = compile([](at::Tensor x) {
    auto h = x * 2;
    graphBreak();
    h = at::dropout(h + 1, 0.5, true);
    return at::dropout(h + 1, 0.5, true);
  });
  for (const int64_t size : {4, 4, 4, 6, 6, 6, 8, 10}) {
    const at::Tensor x = at::ones({size});
    at::manual_seed(size);
    const at::Tensor actual = compiled(x);
    at::manual_seed(size);
    const at::Tensor h = at::dropout(x * 2 + 1, 0.5, true);
    EXPECT_TRUE(at::equal(actual, at::dropout(h + 1, 0.5, true)));
  }
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
}

TEST(CompiledFunction, GuardsTheDefaultHooksOnSavedTensors) {
  const auto compiled = compile([](at::Tensor x) { return x * 2; });
  const at::Tensor x = at::ones({2}).requires_grad_(true);
  compiled(x);
  at::SavedTensorDefaultHooks::disable("not here");
  compiled(x);
  at::SavedTensorDefaultHooks::enable();
  compiled(x);
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
}

TEST(CompiledFunction, IsInlinedByAnotherOne) {
  const CompileCounter inner, outer;
  const auto compiledInner = compile(doubled, {.backend = inner.backend()});
  const auto compiledOuter =
      compile([&](at::Tensor x) { return compiledInner(x + 1) - 1; }, {.backend = outer.backend()});
  for (int call = 0; call < 3; ++call) {
    EXPECT_TRUE(at::equal(compiledOuter(at::ones({2})), at::full({2}, 3.0)));
  }
  EXPECT_EQ(inner.graphs(), 0);
  EXPECT_EQ(outer.graphs(), 1);
  EXPECT_EQ(outer.ops(), 3);
}

struct Factorial {
  CompiledFunction<Factorial>* self = nullptr;
  at::Tensor operator()(const at::Tensor& x, int64_t n) const {
    return n <= 1 ? x : (*self)(x, n - 1) * n;
  }
};

TEST(CompiledFunction, MayCallItself) {
  Factorial factorial;
  std::optional<CompiledFunction<Factorial>> compiled;
  compiled.emplace(compile(factorial));
  // The callable inside holds a copy: give it the compiled function through a second compilation.
  factorial.self = &*compiled;
  const auto recursive = compile(factorial);
  for (int call = 0; call < 2; ++call) {
    EXPECT_TRUE(at::equal(recursive(at::ones({1}), int64_t{1}), at::ones({1})));
  }
}

TEST(CompiledFunction, ServesSeveralThreadsAtOnce) {
  const auto compiled = compile([](at::Tensor x, double p) { return at::relu(x * p).sum(); });
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int call = 0; call < 50; ++call) {
        const at::Tensor x = at::ones({2 + (call + t) % 5, 3});
        const double p = 1 + call % 3;
        wrong += !at::equal(compiled(x, p), at::relu(x * p).sum());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CompiledFunction, ForgetsOnReset) {
  const CompileCounter counter;
  const auto compiled = compile(doubled, {.backend = counter.backend()});
  compiled(at::ones({2}));
  reset();
  EXPECT_TRUE(compiled.frame().entries().empty());
  compiled(at::ones({2}));
  EXPECT_EQ(counter.graphs(), 2);
}

TEST(CompiledFunction, RefusesABackendOrModeThatItDoesNotKnow) {
  EXPECT_THROW(compile(doubled, {.backend = "nonsense"}), std::invalid_argument);
  EXPECT_THROW(compile(doubled, {.mode = "nonsense"}), std::invalid_argument);
}

TEST(CompiledFunction, FailsOnABreakUnderFullgraphWithReasonAndLine) {
  NEEDS_SOURCE_LINES();
  const auto compiled = compile([](at::Tensor x) { return x.sum().item<double>() > 0 ? x : -x; },
                                {.fullgraph = true});
  try {
    compiled(at::ones({2}));
    FAIL() << "no error";
  } catch (const GraphBreakError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("Tensor.item()"), std::string::npos) << text;
    EXPECT_NE(text.find("frame_test.cpp"), std::string::npos) << text;
  }
}

TEST(CompiledFunction, FailsOnARecompileThatWasForbidden) {
  const auto compiled =
      compile([](at::Tensor x, double p) { return x * p; }, {.failOnRecompile = true});
  compiled(at::ones({2}), 0.5);
  compiled(at::ones({2}), 0.5);
  try {
    compiled(at::ones({2}), 0.25);
    FAIL() << "no error";
  } catch (const RecompileError& error) {
    EXPECT_NE(std::string(error.what()).find("L['arg1'] == 0.5"), std::string::npos)
        << error.what();
  }
}

TEST(Stance, ForceEagerLooksAtNoEntry) {
  const CompileCounter counter;
  const auto compiled = compile(doubled, {.backend = counter.backend()});
  const StanceScope stance(Stance::kForceEager);
  EXPECT_TRUE(at::equal(compiled(at::ones({2})), at::full({2}, 2.0)));
  EXPECT_EQ(counter.graphs(), 0);
  EXPECT_EQ(compiled.frame().counts().eager, 1);
}

TEST(Stance, EagerOnRecompileUsesWhatIsThere) {
  const CompileCounter counter;
  const auto compiled = compile(doubled, {.backend = counter.backend()});
  compiled(at::ones({2}));
  const StanceScope stance(Stance::kEagerOnRecompile);
  compiled(at::ones({2}));
  compiled(at::ones({3}));
  EXPECT_EQ(counter.graphs(), 1);
  EXPECT_EQ(compiled.frame().counts().hits, 1);
  EXPECT_EQ(compiled.frame().counts().eager, 1);
}

TEST(Stance, FailOnRecompileThrows) {
  const auto compiled = compile(doubled);
  compiled(at::ones({2}));
  const StanceScope stance(Stance::kFailOnRecompile);
  compiled(at::ones({2}));
  EXPECT_THROW(compiled(at::ones({3})), RecompileError);
}

TEST(Stance, EagerThenCompileLearnsSizesFromTheEagerCall) {
  const CompileCounter counter;
  const auto compiled = compile(doubled, {.backend = counter.backend()});
  const StanceScope stance(Stance::kEagerThenCompile);
  compiled(at::ones({2}));
  EXPECT_EQ(counter.graphs(), 0);
  compiled(at::ones({3}));
  EXPECT_EQ(counter.graphs(), 1);
  EXPECT_TRUE(compiled.frame().entries().front().isDynamic);
}

TEST(Stance, AotEagerThenCompileKeepsTheRealBackendForLater) {
  const CompileCounter counter;
  const auto compiled = compile(doubled, {.backend = counter.backend()});
  const StanceScope stance(Stance::kAotEagerThenCompile);
  compiled(at::ones({2}));
  EXPECT_EQ(counter.graphs(), 0);
  compiled(at::ones({2}));
  EXPECT_EQ(counter.graphs(), 1);
}

TEST(Stance, CannotChangeInsideOfACompiledFunction) {
  const auto compiled = compile([](at::Tensor x) {
    setStance(Stance::kForceEager);
    return x;
  });
  EXPECT_THROW(compiled(at::ones({2})), std::logic_error);
}

TEST(Guarded, InstallsAGuardWhereItIsRead) {
  const CompileCounter counter;
  Guarded<double> scale(0.5, "scale");
  Guarded<at::Tensor> shift(at::ones({2}), "shift");
  const auto compiled = compile([=](at::Tensor x) { return x * scale.get() + shift.get(); },
                                {.backend = counter.backend(), .assumePure = true});
  const auto call = [&] { return compiled(at::ones({2})); };
  EXPECT_TRUE(at::equal(call(), at::full({2}, 1.5)));
  shift.set(at::zeros({2}));
  EXPECT_TRUE(at::equal(call(), at::full({2}, 0.5)));
  EXPECT_EQ(counter.graphs(), 1);
  scale.set(2);
  EXPECT_TRUE(at::equal(call(), at::full({2}, 2.0)));
  EXPECT_NE(compiled.frame().recompiles().back().failures.front().find("G['scale'] == 0.5"),
            std::string::npos);
  scale.set(0.5);
  EXPECT_TRUE(at::equal(call(), at::full({2}, 0.5)));
  EXPECT_EQ(compiled.frame().counts().compiles, 2);
}

TEST(Explain, CountsGraphsBreaksAndOperators) {
  NEEDS_SOURCE_LINES();
  const auto found = explain([](at::Tensor x, at::Tensor w) {
    at::Tensor h = at::matmul(x, w);
    if (h.sum().item<float>() > 0) h = h * 2;
    return at::relu(h);
  })(at::ones({4, 16}), at::ones({16, 16}));
  EXPECT_EQ(found.graphCount, 2);
  EXPECT_EQ(found.graphBreakCount, 1);
  EXPECT_EQ(found.opCount, 4);
  ASSERT_EQ(found.breakReasons.size(), 1u);
  EXPECT_EQ(found.breakReasons[0].reason,
            "Unsupported Tensor.item() call with capture_scalar_outputs=False");
  ASSERT_FALSE(found.breakReasons[0].stack.empty());
  EXPECT_NE(found.breakReasons[0].stack[0].file.find("frame_test.cpp"), std::string::npos);
  std::ostringstream text;
  text << found;
  EXPECT_NE(text.str().find("Graph Break Count: 1"), std::string::npos);
}

}  // namespace
}  // namespace jitscope::compiler
