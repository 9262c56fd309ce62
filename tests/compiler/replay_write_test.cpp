// Replay of functions that write: in place, to views and out arguments, and through pointers.
#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mul.h>
#include <ATen/ops/sin.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include "compiler/frontend/break_reason.h"
#include "tests/compiler/differential.h"

namespace jitscope::compiler {
namespace {

TEST(ReplayOfWrites, SeesAReadThroughAnAccessor) {
  expectSameAsEager(stateless(
      [](const Tensors& x) -> Tensors {
        auto g = x[0] * 3 + 1;
        if (g.accessor<float, 2>()[0][0] > 1) g = g * 10;
        return {g.relu()};
      },
      1, 8));
}

TEST(ReplayOfWrites, SeesAWriteThroughAPointer) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto t = torch::zeros({4, 4});
    auto g = x[0] + 1;
    t.data_ptr<float>()[3] = g.sum().item<float>();
    t.data_ptr<float>()[5] = 7;
    auto y = g + t;
    return {y * 2};
  }));
}

TEST(ReplayOfWrites, SeesAPointerThatOnlySomeCallsTake) {
  auto testCase = stateless(
      [](const Tensors& x) -> Tensors {
        auto h = x[0] * 3;
        auto g = h + 1;
        if (flag) g.data_ptr<float>()[0] = 42;
        return {g * 2, h};
      },
      1, 6);
  testCase.before = [](int call) { flag = call == 2 || call == 4; };
  expectSameAsEager(testCase);
}

TEST(ReplayOfWrites, SeesAWriteToAnInputThroughAPointer) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto h = x[0] * 3;
    x[0].data_ptr<float>()[0] = 42;
    return {h + x[0]};
  }));
}

TEST(ReplayOfWrites, HonoursAPointerTakenEarlyAndWrittenLate) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto t = at::zeros({4, 4});
    float* pointer = t.data_ptr<float>();
    auto h = x[0] * 3;
    auto g = h + 1;
    pointer[2] = 5;
    float* input = x[0].data_ptr<float>();
    auto y = g + t;
    input[1] = 9;
    return {y * x[0]};
  }));
}

TEST(ReplayOfWrites, WritesToAnInputInPlace) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    x[0].add_(1);
    return {h + x[0]};
  }));
}

TEST(ReplayOfWrites, WritesToAnInputSeveralTimes) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    if (h.sum().item<float>() > 1e9) h = h + 1;
    x[0].mul_(0.9).add_(h, 0.1);
    auto k = h.sin();
    x[0].sub_(k);
    return {h + x[0], x[0]};
  }));
}

TEST(ReplayOfWrites, WritesToAViewOfAnInput) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    if (x[0].sum().item<float>() > 1e9) return {x[0]};
    auto v = x[0].view({-1});
    auto w = v.slice(0, 2, 6);
    w.mul_(3);
    auto s = x[0].t();
    return {s * 2, v, w};
  }));
}

TEST(ReplayOfWrites, ShowsAWriteToAnInputAtOnce) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    x[0].add_(1);
    const float first = x[0].data_ptr<float>()[0];
    auto y = x[0] * 2;
    return {y, at::full({1}, first)};
  }));
}

TEST(ReplayOfWrites, WritesToAnInteriorThatHasAView) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    auto v = h.select(0, 1);
    v.mul_(5);
    h.add_(1);
    if (h.sum().item<float>() > 1e9) h = h + 1;
    return {v, h.sum(0)};
  }));
}

TEST(ReplayOfWrites, WritesToOutArguments) {
  expectSameAsEager(stateless(
      [](const Tensors& x) -> Tensors {
        auto o = torch::empty({4, 4});
        at::add_out(o, x[0], x[1]);
        auto target = x[1];
        at::mul_out(target, o, x[0]);
        auto z = torch::empty({0});
        at::sin_out(z, x[1]);
        return {o * 2, z + 1};
      },
      2));
}

TEST(ReplayOfWrites, CompilesSegmentsThatWriteOftenToOneInput) {
  const auto report = settledReport([](const Tensors& x) -> Tensors {
    auto h = x[0] * 2;
    if (h.sum().item<float>() > 1e9) h = h + 1;
    at::Tensor(x[0]).add_(h);
    auto k = x[0] * 3;
    at::Tensor(x[0]).mul_(2);
    x[0].select(0, 1).sub_(1);
    return {k + x[0], h};
  });
  EXPECT_EQ(report.segmentsNotCompiled, 0) << report.notCompiled;
  EXPECT_EQ(report.segmentsRun, 4);
}

TEST(ReplayOfWrites, WritesOnceToATensorOfItsOwn) {
  expectSameAsEager(stateless([](const Tensors& x) -> Tensors {
    at::Tensor own;
    {
      const PlainScope plain(reasonOfDisabledCallable("helper"));
      own = x[0].sin();
    }
    auto h = x[0] * 2;
    own.mul_(-1.5);
    return {own + h};
  }));
}

}  // namespace
}  // namespace jitscope::compiler
