#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "tests/compiler/aot/catalogue.h"

namespace jitscope::compiler {
namespace {

using Verdict = CatalogueCase::Verdict;

Tensors plainPair() { return {at::randn({4, 4}), at::randn({4, 4})}; }
Tensors plainAndLeaf() { return {at::randn({4, 4}), at::randn({4, 4}).requires_grad_(true)}; }
Tensors interiorAndLeaf() {
  const auto leaf = at::randn({4, 4}).requires_grad_(true);
  return {leaf * 1, at::randn({4, 4}).requires_grad_(true)};
}
Tensors overlapping() {
  const auto base = at::randn({8});
  return {base.slice(0, 0, 6), base.slice(0, 2, 8)};
}
Tensors disjoint() {
  const auto base = at::randn({8});
  return {base.slice(0, 0, 4), base.slice(0, 4, 8)};
}
Tensors baseAndView() {
  const auto base = at::randn({4, 4});
  return {base, base.t()};
}
Tensors viewsWithHistory() {
  const auto base = at::randn({8}).requires_grad_(true) * 1;
  return {base.slice(0, 0, 6), base.slice(0, 2, 8)};
}
Tensors twice() {
  const auto x = at::randn({4, 4});
  return {x, x};
}
Tensors leafTwice() {
  const auto x = at::randn({4, 4}).requires_grad_(true);
  return {x, x};
}

std::vector<CatalogueCase> writes() {
  return {
      {"WritesToPlain", &plainPair,
       [](const Tensors& a) {
         a[0].mul_(2).add_(a[1]);
         return Tensors{a[0].sin()};
       }},
      {"WritesToNonLeaf", &interiorAndLeaf,
       [](const Tensors& a) {
         a[0].mul_(a[1]);
         return Tensors{a[1] * 2};
       }},
      {"WritesToNonLeafAndReadsIt", &interiorAndLeaf,
       [](const Tensors& a) {
         a[0].mul_(a[1]);
         return Tensors{a[0].sin()};
       }},
      {"PlainGainsGradient", &plainAndLeaf,
       [](const Tensors& a) {
         a[0].add_(a[1]);
         return Tensors{a[1].cos()};
       }},
      {"LeafWithoutGradientMode", &leaves,
       [](const Tensors& a) {
         const auto y = a[1].sin();
         {
           const c10::NoGradGuard noGrad;
           a[0].mul_(0.5);
         }
         return Tensors{y};
       }},
      {"LeafUnderGradientMode", &leaves,
       [](const Tensors& a) {
         a[0].mul_(2);
         return Tensors{a[0]};
       },
       Verdict::kThrows},
      {"BufferUpdatedInTheStep", &plainAndLeaf,
       [](const Tensors& a) {
         const auto y = a[1].tanh();
         {
           const c10::NoGradGuard noGrad;
           a[0].mul_(0.9).add_(y, 0.1);
         }
         return Tensors{y.sum()};
       }},
      {"ThroughAView", &plainPair,
       [](const Tensors& a) {
         a[0].select(0, 1).add_(1);
         a[0].t().slice(0, 1, 3).mul_(a[1].t().slice(0, 1, 3));
         return Tensors{a[0] + 1};
       }},
      {"ThroughAViewUnderAutograd", &interiorAndLeaf,
       [](const Tensors& a) {
         a[0].select(0, 1).mul_(a[1].select(0, 0));
         return Tensors{a[1].sin()};
       }},
      {"CopyOfAll", &plainAndLeaf,
       [](const Tensors& a) {
         a[0].copy_(a[1]);
         return Tensors{a[1] * 3};
       }},
      {"MaskedAssignment", &plainPair,
       [](const Tensors& a) {
         a[0].masked_fill_(a[1] > 0, 7);
         a[0].index_put_({at::arange(2)}, a[1].slice(0, 0, 2));
         return Tensors{a[0].sum()};
       }},
      {"DetachedWrite", &interiorAndLeaf,
       [](const Tensors& a) {
         a[0].detach().add_(1);
         return Tensors{a[0].cos() + a[1]};
       }},
      {"OutArgument", &plainPair,
       [](const Tensors& a) {
         auto out = a[0];
         at::add_out(out, a[0], a[1]);
         auto fresh = at::empty({4, 4});
         at::mul_out(fresh, a[0], a[1]);
         return Tensors{fresh};
       }},
      {"ForeachInPlace", &plainPair,
       [](const Tensors& a) {
         at::_foreach_mul_({a[0], a[1]}, 0.5);
         return Tensors{a[0] + a[1]};
       }},
      {"AdamByHand",
       [] {
         return Tensors{at::randn({4}).requires_grad_(true), at::randn({4}), at::zeros({4}),
                        at::zeros({4})};
       },
       [](const Tensors& a) {
         const c10::NoGradGuard noGrad;
         a[2].mul_(0.9).add_(a[1], 0.1);
         a[3].mul_(0.99).addcmul_(a[1], a[1], 0.01);
         a[0].addcdiv_(a[2], a[3].sqrt().add_(1e-8), -0.1);
         return Tensors{a[0].detach() * 1};
       }},
      {"SwapOfTwo", &plainPair,
       [](const Tensors& a) {
         const auto kept = a[0].clone();
         a[0].copy_(a[1]);
         a[1].copy_(kept);
         return Tensors{a[0] - a[1]};
       }},
      {"FillAndZero", &plainPair,
       [](const Tensors& a) {
         const auto y = a[0] * a[1];
         a[0].zero_();
         a[1].fill_(3);
         return Tensors{y};
       }},
  };
}

std::vector<CatalogueCase> layouts() {
  return {
      {"Transposed", &plainPair,
       [](const Tensors& a) {
         a[0].t_();
         return Tensors{a[0] + a[1]};
       }},
      {"UnsqueezedAndWritten", &plainPair,
       [](const Tensors& a) {
         a[0].unsqueeze_(0).add_(1);
         return Tensors{a[0] * 2};
       }},
      {"WrittenAndSqueezed",
       [] {
         return Tensors{at::randn({1, 4})};
       },
       [](const Tensors& a) {
         a[0].mul_(2).squeeze_();
         return Tensors{a[0].sum()};
       }},
      {"TransposedWithHistory", &interiorAndLeaf,
       [](const Tensors& a) {
         a[0].t_();
         return Tensors{a[1].sin()};
       }},
      {"Strided", &plainPair,
       [](const Tensors& a) {
         at::Tensor(a[0]).as_strided_({2, 2}, {4, 1}, 5);
         return Tensors{a[0].sum()};
       }},
      {"Resized", &plainPair,  // which breaks the graph: what follows is compiled
       [](const Tensors& a) {
         a[0].resize_({5, 5}).fill_(1);
         return Tensors{a[0] * 2};
       }},
      {"SetToAnother", &plainPair,
       [](const Tensors& a) {
         at::Tensor(a[0]).set_(a[1]);
         return Tensors{a[0] * 2};
       },
       Verdict::kRefused},
  };
}

std::vector<CatalogueCase> sharing() {
  return {
      {"OverlappingRead", &overlapping, [](const Tensors& a) { return Tensors{a[0] * a[1]}; }},
      {"OverlappingWritten", &overlapping,
       [](const Tensors& a) {
         a[0].add_(1);
         a[1].mul_(2);
         return Tensors{a[0] + a[1]};
       }},
      {"DisjointWritten", &disjoint,
       [](const Tensors& a) {
         a[0].add_(a[1]);
         a[1].mul_(a[0]);
         return Tensors{a[0].sum()};
       }},
      {"BaseAndViewWritten", &baseAndView,
       [](const Tensors& a) {
         a[1].mul_(3);
         return Tensors{a[0] + 1, a[0].select(0, 1)};
       }},
      {"ViewsWithHistoryRead", &viewsWithHistory,
       [](const Tensors& a) { return Tensors{a[0] * a[1]}; }},
      {"ViewsWithHistoryWritten", &viewsWithHistory,
       [](const Tensors& a) {
         a[0].mul_(2);
         return Tensors{a[1].sin()};
       },
       Verdict::kRefused},
      {"SameTwice", &twice, [](const Tensors& a) { return Tensors{a[0] * 2 + a[1]}; }},
      {"SameTwiceWritten", &twice,
       [](const Tensors& a) {
         a[0].add_(1);
         return Tensors{a[1] * 2};
       }},
      {"SameLeafTwice", &leafTwice, [](const Tensors& a) { return Tensors{a[0].sin() * a[1]}; }},
      {"LeafAndItsDetached",
       [] {
         const auto leaf = at::randn({4}).requires_grad_(true);
         return Tensors{leaf, leaf.detach()};
       },
       [](const Tensors& a) { return Tensors{a[0] * a[1]}; }},
      {"UnusedInputs", &leaves, [](const Tensors& a) { return Tensors{a[1].exp()}; }},
      {"ExpandedInput",
       [] {
         return Tensors{at::randn({1, 4}).requires_grad_(true).expand({3, 4})};
       },
       [](const Tensors& a) { return Tensors{a[0].sin()}; }},
      {"StridedInput",
       [] {
         return Tensors{at::randn({8, 8}).slice(0, 1, 7, 2).t()};
       },
       [](const Tensors& a) {
         return Tensors{a[0].cos(), a[0].reshape({-1})};
       }},
  };
}

}  // namespace

std::vector<CatalogueCase> inputCases() {
  auto cases = writes();
  for (auto& testCase : layouts()) cases.push_back(testCase);
  for (auto& testCase : sharing()) cases.push_back(testCase);
  return cases;
}

}  // namespace jitscope::compiler
