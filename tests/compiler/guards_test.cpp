#include "compiler/frames/guards.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <gtest/gtest.h>

#include <random>

namespace jitscope::compiler {
namespace {

/// Arguments of a made-up call, owned, and as leaves.
struct Arguments {
  std::vector<at::Tensor> tensors;
  std::vector<std::string> texts;
  std::vector<int64_t> integers;

  Leaves leaves() const {
    Leaves leaves;
    for (const at::Tensor& tensor : tensors) leaves.push_back(Leaf::of(tensor));
    for (const std::string& text : texts) leaves.push_back(Leaf::of(Leaf::Kind::kText, text));
    for (const int64_t integer : integers) {
      leaves.push_back(Leaf::of(Leaf::Kind::kInteger, integer));
    }
    return leaves;
  }
  std::vector<std::string> sources() const {
    std::vector<std::string> sources;
    for (size_t i = 0; i < leaves().size(); ++i) {
      sources.push_back("L['" + std::string(1, static_cast<char>('a' + i % 26)) + "']");
    }
    return sources;
  }
};

GuardProgram guardsFor(const Arguments& arguments, std::vector<LeafFreedom> freedoms = {}) {
  GuardProgram guards(GlobalState::current());
  freedoms.resize(arguments.leaves().size());
  guards.add(arguments.leaves(), arguments.sources(), freedoms);
  return guards;
}

bool holds(const GuardProgram& guards, const Arguments& arguments) {
  const Leaves leaves = arguments.leaves();
  return guards.holds({leaves, GlobalState::current()});
}

std::string failureOf(const GuardProgram& guards, const Arguments& arguments) {
  const Leaves leaves = arguments.leaves();
  const auto failure = guards.firstFailure({leaves, GlobalState::current()});
  return failure ? failure->text : "";
}

std::string causeOf(const GuardProgram& guards, const Arguments& arguments) {
  const Leaves leaves = arguments.leaves();
  const auto failure = guards.firstFailure({leaves, GlobalState::current()});
  return failure ? failure->cause : "";
}

Arguments oneTensor(at::Tensor tensor) { return {{std::move(tensor)}, {}, {}}; }

TEST(Guards, HoldForAnotherTensorOfTheSameKind) {
  const GuardProgram guards = guardsFor(oneTensor(at::ones({3, 4})));
  EXPECT_TRUE(holds(guards, oneTensor(at::zeros({3, 4}))));
  EXPECT_EQ(failureOf(guards, oneTensor(at::zeros({3, 4}))), "");
}

struct Mismatch {
  const char* name;
  at::Tensor actual;
  const char* text;
  const char* cause;
};

class TensorMismatch : public testing::TestWithParam<Mismatch> {};

TEST_P(TensorMismatch, IsReportedInDynamosWords) {
  const GuardProgram guards = guardsFor(oneTensor(at::ones({3, 4})));
  const Arguments actual = oneTensor(GetParam().actual);
  EXPECT_FALSE(holds(guards, actual));
  EXPECT_EQ(failureOf(guards, actual), GetParam().text);
  EXPECT_EQ(causeOf(guards, actual), GetParam().cause);
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, TensorMismatch,
    testing::Values(
        Mismatch{"size", at::ones({2, 4}),
                 "tensor 'a' size mismatch at index 0. expected 3, actual 2", "size"},
        Mismatch{"one", at::ones({1, 4}),
                 "tensor 'a' size mismatch at index 0. expected 3, actual 1", "zero_one"},
        Mismatch{"stride", at::ones({4, 3}).t(),
                 "tensor 'a' stride mismatch at index 0. expected 4, actual 1", "stride"},
        Mismatch{"rank", at::ones({3}), "tensor 'a' rank mismatch. expected 2, actual 1", "rank"},
        Mismatch{"dtype", at::ones({3, 4}, at::kHalf),
                 "tensor 'a' dtype mismatch. expected Float, actual Half", "dtype"},
        Mismatch{"requires_grad", at::ones({3, 4}).set_requires_grad(true),
                 "tensor 'a' requires_grad mismatch. expected requires_grad=0", "requires_grad"},
        Mismatch{"undefined", at::Tensor(),
                 "expected 'L['a']' to be a tensor, but found an undefined tensor", "optional"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Guards, NameAnotherSizeOfAKeySetByTheDeviceThatChanged) {
  const GuardProgram guards = guardsFor(oneTensor(at::ones({3})));
  EXPECT_EQ(causeOf(guards, oneTensor(at::empty({3}, at::kMeta))), "device");
}

TEST(Guards, SeeAChangeOfTheGlobalState) {
  const GuardProgram guards = guardsFor(oneTensor(at::ones({3})));
  const c10::NoGradGuard noGrad;
  EXPECT_FALSE(holds(guards, oneTensor(at::ones({3}))));
  EXPECT_EQ(failureOf(guards, oneTensor(at::ones({3}))), "GLOBAL_STATE changed: grad_mode ");
}

TEST(Guards, SeeInputsThatBecomeTheSameTensor) {
  const at::Tensor x = at::ones({3});
  const GuardProgram guards = guardsFor({{at::ones({3}), at::ones({3})}, {}, {}});
  EXPECT_FALSE(holds(guards, {{x, x}, {}, {}}));
  EXPECT_NE(failureOf(guards, {{x, x}, {}, {}}).find("Duplicate tensor"), std::string::npos);
  const GuardProgram same = guardsFor({{x, x}, {}, {}});
  EXPECT_TRUE(holds(same, {{x, x}, {}, {}}));
  EXPECT_EQ(failureOf(same, {{x, at::ones({3})}, {}, {}}), "L['a'] is L['b']");
}

TEST(Guards, SeeInputsThatBecomeViewsOfOneStorage) {
  const at::Tensor base = at::ones({6});
  const Arguments apart{{at::ones({3}), at::ones({3})}, {}, {}};
  const Arguments shared{{base.slice(0, 0, 3), base.slice(0, 3, 6)}, {}, {}};
  EXPECT_FALSE(holds(guardsFor(apart), shared));
  EXPECT_EQ(causeOf(guardsFor(apart), shared), "aliasing");
  EXPECT_FALSE(holds(guardsFor(shared), apart));
  EXPECT_TRUE(holds(guardsFor(shared), shared));
}

TEST(Guards, LeaveADynamicSizeOpenFromTwoOn) {
  LeafFreedom open;
  open.dimensions = {Freedom{true, 2, 100}, Freedom{}};
  const GuardProgram guards = guardsFor(oneTensor(at::ones({3, 4})), {open});
  EXPECT_TRUE(holds(guards, oneTensor(at::ones({99, 4}))));
  EXPECT_FALSE(holds(guards, oneTensor(at::ones({1, 4}))));
  EXPECT_FALSE(holds(guards, oneTensor(at::ones({101, 4}))));
  EXPECT_FALSE(holds(guards, oneTensor(at::ones({99, 5}))));
  EXPECT_EQ(failureOf(guards, oneTensor(at::ones({1, 4}))), "2 <= L['a'].size()[0]  # was 1");
  EXPECT_EQ(causeOf(guards, oneTensor(at::ones({1, 4}))), "zero_one");
}

TEST(Guards, LetStridesFollowADynamicSize) {
  LeafFreedom open;
  open.dimensions = {Freedom{}, Freedom{true}, Freedom{}};
  const GuardProgram guards = guardsFor(oneTensor(at::ones({2, 3, 4})), {open});
  EXPECT_TRUE(holds(guards, oneTensor(at::ones({2, 7, 4}))));
  EXPECT_FALSE(holds(guards, oneTensor(at::ones({7, 2, 4}).transpose(0, 1))));
}

TEST(Guards, CompareRealsByTheirBits) {
  const Arguments none;
  GuardProgram guards(GlobalState::current());
  Leaves expected;
  expected.push_back(Leaf::of(0.0));
  const std::vector<std::string> sources = {"L['p']"};
  guards.add(expected, sources, std::vector<LeafFreedom>(1));
  Leaves negative;
  negative.push_back(Leaf::of(-0.0));
  EXPECT_TRUE(guards.holds({expected, GlobalState::current()}));
  EXPECT_FALSE(guards.holds({negative, GlobalState::current()}));
}

/// Random calls, each guarded and then compared with a random other one: the check and its
/// explanation must agree.
TEST(Guards, FailExactlyWhenThereIsAReason) {
  std::mt19937 random(7);
  const auto pick = [&](int64_t below) { return static_cast<int64_t>(random() % below); };
  const at::Tensor base = at::ones({8, 8});
  const auto tensor = [&]() -> at::Tensor {
    switch (pick(11)) {
      case 0:
        return at::Tensor();
      case 1:
        return base.slice(0, 0, 2 + pick(2));
      case 2:
        return at::ones({2 + pick(2), 3}).t();
      case 3:
        return at::ones({2, 3}, pick(2) ? at::kFloat : at::kLong);
      case 4:
        return base;
      case 5:
        return at::ones({2, 3}).requires_grad_(pick(2) == 1);
      case 6:  // more dimensions than a tensor holds in place
        return at::ones({1, 2, 1, 2, 1, 2 + pick(2)});
      case 7:
        return at::ones({2, 3}, pick(2) ? at::kMeta : at::kCPU);
      case 8:
        return at::ones({2, 3}).to_sparse();
      case 9:
        return at::scalar_tensor(1.0);
      default:
        return at::ones({1 + pick(3), 3});
    }
  };
  int held = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto call = [&] {
      Arguments arguments;
      for (int64_t i = pick(3); i >= 0; --i) arguments.tensors.push_back(tensor());
      if (pick(2)) arguments.texts.push_back(pick(2) ? "sum" : "mean");
      arguments.integers.push_back(pick(2));
      return arguments;
    };
    const Arguments first = call(), second = pick(4) ? call() : first;
    std::vector<LeafFreedom> freedoms(first.leaves().size());
    if (first.tensors[0].defined()) {
      freedoms[0].dimensions.assign(static_cast<size_t>(first.tensors[0].dim()),
                                    Freedom{pick(2) == 1});
      freedoms[0].isIdentityGuarded = pick(4) == 0;
    }
    const GuardProgram guards = guardsFor(first, freedoms);
    const bool isAccepted = holds(guards, second);
    held += isAccepted;
    EXPECT_EQ(isAccepted, failureOf(guards, second).empty()) << "round " << round;
  }
  EXPECT_GT(held, 50);
}

}  // namespace
}  // namespace jitscope::compiler
