// How many graphs and operators torch.compile captures around breaks (test_subgraphs.py of
// PyTorch), as facts for ours; the breaks are those that C++ has. Left out: resume_paths_join (7,
// 10), because C++ code cannot be resumed in the middle, so that paths part but never join;
// control_flow3 and resume7 on, whose breaks exist in Python only; tests of the generator and
// `with` statements.
#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "compiler/compiler.h"
#include "tests/compiler/counting_backend.h"

namespace jitscope::compiler {
namespace {

using Function = std::vector<at::Tensor> (*)(const at::Tensor& a, const at::Tensor& b);

struct Case {
  const char* name;
  Function function;
  int64_t graphs, ops;
};

class BreakConformance : public testing::TestWithParam<Case> {};

TEST_P(BreakConformance, CapturesAsManyGraphsAndOperators) {
  const CompileCounter counter;
  const auto compiled = compile(GetParam().function, {.backend = counter.backend()});
  at::manual_seed(3);
  const at::Tensor a = at::randn({10}).abs() + 1, b = at::randn({10}).abs();
  for (int call = 0; call < 3; ++call) {
    const auto expected = GetParam().function(a, b);
    const auto actual = compiled(a, b);
    ASSERT_EQ(actual.size(), expected.size());
    for (size_t i = 0; i < actual.size(); ++i) EXPECT_TRUE(at::equal(actual[i], expected[i]));
  }
  EXPECT_EQ(counter.graphs(), GetParam().graphs);
  EXPECT_EQ(counter.ops(), GetParam().ops);
}

bool isTrue(const at::Tensor& condition) { return condition.item<bool>(); }

at::Tensor outside(const at::Tensor& x, const at::Tensor& y) {
  static auto notTraceable =
      disable([](const at::Tensor& l, const at::Tensor& r) { return l * r; });
  return notTraceable(x, y);
}

const Case kCases[] = {
    {"control_flow1",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       const at::Tensor c1 = a - b, c2 = b - a;
       if (isTrue(c1.sum() > c2.sum())) return {c1};
       return {c2};
     },
     1, 5},
    {"control_flow2",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       if (isTrue(a.sum() > b.sum())) return {a};
       return {b};
     },
     1, 3},
    {"control_flow4",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       if (isTrue(a.sum() > b.sum()) && isTrue(a.sum() > 0)) return {a};
       return {b};
     },
     2, 5},
    {"multigraph",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       const at::Tensor x = (a + b) / 2.0;
       if (isTrue(x.sum() > 0)) return {x * -1.0};
       return {x};
     },
     2, 5},
    {"resume1",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       at::Tensor x = (a + b) / 2.0 + 2.0;
       x = outside(x, a);
       return {((x + 2.0) + 2.0) + 2.0};
     },
     2, 6},
    {"resume2",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       at::Tensor x = (a + b) / 2.0 + 2.0;
       x = outside(x, a) + 2.0;
       x = outside(x, b) + 2.0;
       return {(x + 2.0) + 2.0};
     },
     3, 7},
    {"resume5",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       at::Tensor x = (a + b) / 2.0 + 2.0;
       print("between");
       return {((x + 2.0) + 2.0) + 2.0};
     },
     2, 6},
    {"start1",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       graphBreak();
       return {(a + b) / 2.0 + 2.0};
     },
     1, 3},
    {"start2",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       const at::Tensor x = outside(a, b) + 2.0;
       const at::Tensor y = outside(x, b);
       return {(y + a) + 2.0 + 2.0};
     },
     2, 4},
    {"item",
     [](const at::Tensor& a, const at::Tensor& b) -> std::vector<at::Tensor> {
       const at::Tensor x = a + b;
       const double half = x.sum().item<double>() > 0 ? 0.5 : 0.25;
       return {(x * half + a) + b};
     },
     2, 5},
};

INSTANTIATE_TEST_SUITE_P(Subgraphs, BreakConformance, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace jitscope::compiler
