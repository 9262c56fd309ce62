// Compiled functions that several threads use and change at once. Meant for the thread sanitizer
// too: what these tests do not claim, it does.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <optional>
#include <thread>

#include "compiler/compiler.h"

namespace jitscope::compiler {
namespace {

constexpr int kRounds = 40;

/// Runs each body on a thread of its own.
template <class... Bodies>
void together(Bodies... bodies) {
  std::vector<std::thread> threads;
  (threads.emplace_back(bodies), ...);
  for (std::thread& thread : threads) thread.join();
}

/// Calls `compiled` with arguments that need several entries, and counts wrong results.
template <class Compiled>
int64_t wrongResultsOf(const Compiled& compiled) {
  int64_t wrong = 0;
  for (int round = 0; round < kRounds; ++round) {
    const at::Tensor x = at::ones({2 + round % 4, 3});
    wrong += !at::equal(compiled(x, 1.0 + round % 2), at::relu(x * (1.0 + round % 2)));
  }
  return wrong;
}

at::Tensor scaled(const at::Tensor& x, double factor) { return at::relu(x * factor); }

TEST(Threads, MayLookAtAFunctionWhileOthersCallIt) {
  const auto compiled = compile(scaled);
  std::atomic<int64_t> wrong{0};
  std::atomic<bool> isDone{false};
  std::thread looking([&] {
    while (!isDone) {
      const FrameCounts counts = compiled.frame().counts();
      wrong += counts.hits > compiled.frame().counts().calls;
      for (const EntryView& entry : compiled.frame().entries()) wrong += entry.guards.empty();
      for (const RecompileView& each : compiled.frame().recompiles())
        wrong += each.failures.empty();
    }
  });
  together([&] { wrong += wrongResultsOf(compiled); }, [&] { wrong += wrongResultsOf(compiled); });
  isDone = true;
  looking.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, MayResetAFunctionWhileOthersCallIt) {
  const auto compiled = compile(scaled);
  std::atomic<int64_t> wrong{0};
  together([&] { wrong += wrongResultsOf(compiled); }, [&] { wrong += wrongResultsOf(compiled); },
           [] {
             for (int round = 0; round < kRounds; ++round) reset();
           });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, MayMakeAndDropFunctionsAtOnce) {
  std::atomic<int64_t> wrong{0};
  const auto makeAndDrop = [&] {
    for (int round = 0; round < kRounds; ++round) {
      const auto compiled = compile(scaled);
      const at::Tensor x = at::ones({2});
      wrong += !at::equal(compiled(x, 3.0), x * 3);
    }
  };
  together(makeAndDrop, makeAndDrop, [] {
    for (int round = 0; round < kRounds; ++round) reset();
  });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, MayMarkDimensionsWhileOthersCall) {
  const auto compiled = compile(scaled);
  std::atomic<int64_t> wrong{0};
  const auto markAndCall = [&] {
    for (int round = 0; round < kRounds; ++round) {
      const at::Tensor x = at::ones({2 + round % 5, 3});
      maybeMarkDynamic(x, 0);
      wrong += !at::equal(compiled(x, 2.0), x * 2);
    }
  };
  together(markAndCall, markAndCall, [&] { wrong += wrongResultsOf(compiled); });
  EXPECT_EQ(wrong, 0);
}

TEST(Threads, MaySetAGuardedValueWhileOthersReadIt) {
  const Guarded<double> factor(1);
  const auto compiled = compile([factor](at::Tensor x) { return x * factor.get(); });
  std::atomic<int64_t> wrong{0};
  const auto call = [&] {
    for (int round = 0; round < kRounds; ++round) {
      const auto given = compiled(at::ones({1})).item<double>();
      wrong += given != 1 && given != 2;
    }
  };
  together(call, call, [&] {
    Guarded<double> shared = factor;
    for (int round = 0; round < kRounds; ++round) shared.set(1 + round % 2);
  });
  EXPECT_EQ(wrong, 0);
}

/// Calls `compiled` from two threads; user code of both has begun before either reads a value.
template <class Compiled, class... First, class... Second>
void callAtOnce(const Compiled& compiled, std::tuple<First...> first,
                std::tuple<Second...> second) {
  together([&] { std::apply(compiled, first); }, [&] { std::apply(compiled, second); });
}

TEST(Threads, EachGuardTheValueThatTheyFoundAtOnce) {
  Guarded<double> factor(2);
  std::optional<std::latch> bothRun(2);
  const auto compiled = compile(
      [&](at::Tensor x) {
        if (bothRun) bothRun->arrive_and_wait();
        return x * factor.get();
      },
      {.assumePure = true});
  callAtOnce(compiled, std::tuple(at::ones({2}, at::kFloat)),
             std::tuple(at::ones({2}, at::kDouble)));
  bothRun.reset();
  factor.set(5);
  for (const auto type : {at::kFloat, at::kDouble}) {
    EXPECT_EQ(compiled(at::ones({2}, type)).sum().item<double>(), 10) << type;
  }
}

TEST(Threads, GuardValuesInTheSameOrderWhoeverFoundThem) {
  Guarded<double> left(2, "left");
  Guarded<double> right(3, "right");
  std::optional<std::latch> bothRun(2);
  std::optional<std::latch> leftIsRead(1);
  const auto compiled = compile(
      [&](at::Tensor x, bool isLeft) {
        if (bothRun) bothRun->arrive_and_wait();
        if (isLeft) {
          const at::Tensor result = x * left.get();
          if (leftIsRead) leftIsRead->count_down();
          return result;
        }
        if (leftIsRead) leftIsRead->wait();
        return x * right.get();
      },
      {.assumePure = true});
  callAtOnce(compiled, std::tuple(at::ones({1}), true), std::tuple(at::ones({1}), false));
  bothRun.reset();
  leftIsRead.reset();
  left.set(3);
  right.set(7);
  EXPECT_EQ(compiled(at::ones({1}), true).item<double>(), 3);
  EXPECT_EQ(compiled(at::ones({1}), false).item<double>(), 7);
}

TEST(Threads, ThatCompileDuringAResetLeaveNoEntry) {
  Guarded<double> factor(2);
  bool isFirst = true;
  const auto compiled = compile(
      [&](at::Tensor x) {
        if (std::exchange(isFirst, false)) std::thread([] { reset(); }).join();
        return x * factor.get();
      },
      {.assumePure = true});
  EXPECT_EQ(compiled(at::ones({1})).item<double>(), 2);
  EXPECT_TRUE(compiled.frame().entries().empty());
  factor.set(5);
  EXPECT_EQ(compiled(at::ones({1})).item<double>(), 5);
  EXPECT_EQ(compiled.frame().entries().size(), 1u);
}

TEST(Threads, ThatSetAValueInTheMiddleOfACaptureAreNotTakenForTheGuarded) {
  Guarded<double> factor(2);
  bool isSet = false;
  const auto compiled = compile(
      [&](at::Tensor x) {
        if (isSet) std::thread([&] { factor.set(5); }).join();
        return x * factor.get();
      },
      {.assumePure = true});
  EXPECT_EQ(compiled(at::ones({1})).item<double>(), 2);
  isSet = true;
  EXPECT_EQ(compiled(at::ones({1}, at::kDouble)).item<double>(), 5);
  isSet = false;
  factor.set(2);
  EXPECT_EQ(compiled(at::ones({1}, at::kDouble)).item<double>(), 2);
}

}  // namespace
}  // namespace jitscope::compiler
