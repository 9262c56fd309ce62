#include <ATen/ATen.h>
#include <c10/core/GradMode.h>

#include "tests/compiler/aot/catalogue.h"

namespace jitscope::compiler {
namespace {

Tensors interior() { return {at::randn({4, 4}).requires_grad_(true) * 1}; }

std::vector<CatalogueCase> ofInputs() {
  return {
      {"InputItself", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0], a[0].sin()};
       }},
      {"ViewOfLeaf", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0].t(), a[0].view({-1})};
       }},
      {"ViewOfPlain", &plain,
       [](const Tensors& a) {
         return Tensors{a[0].slice(0, 1, 3).t(), a[0] + 1};
       }},
      {"ViewOfNonLeaf", &interior, [](const Tensors& a) { return Tensors{a[0].select(1, 2)}; }},
      {"ViewOfWritten", &plain,
       [](const Tensors& a) {
         a[0].add_(1);
         return Tensors{a[0].view({2, 8})};
       }},
      {"ViewOfWrittenNonLeaf", &interior,
       [](const Tensors& a) {
         a[0].mul_(2);
         return Tensors{a[0].view({2, 8})};
       }},
      {"ViewBeforeTheLayoutChanged", &plain,
       [](const Tensors& a) {
         const auto row = a[0].select(0, 1);
         a[0].t_();
         return Tensors{row, a[0].select(0, 1)};
       }},
      {"DetachedInput", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0].detach(), a[0] * 2};
       }},
      {"ViewWithoutGradient", &leaf,
       [](const Tensors& a) {
         const c10::NoGradGuard noGrad;
         return Tensors{a[0].t(), a[0].view({-1}).slice(0, 1, 3)};
       }},
      {"UnboundInput", &leaf,
       [](const Tensors& a) {
         const auto rows = a[0].unbind();
         return Tensors{rows[0], rows[2], rows[1] * 2};
       }},
      {"SplitInput", &plain,
       [](const Tensors& a) {
         const auto parts = a[0].split(2);
         return Tensors{parts[0], parts[1].t()};
       }},
      {"ChainOfViews", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0].unsqueeze(0).expand({2, 4, 4}).permute({2, 0, 1}).select(1, 0)};
       }},
      {"DiagonalAndStrided", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0].diagonal(), a[0].as_strided({2, 3}, {4, 1}, 1)};
       }},
  };
}

std::vector<CatalogueCase> ofEachOther() {
  return {
      {"TensorAndItsView", &leaf,
       [](const Tensors& a) {
         const auto y = a[0] * 2;
         return Tensors{y, y.t()};
       }},
      {"TwoViewsOfAnUnseenBase", &leaf,
       [](const Tensors& a) {
         const auto y = a[0].sin();
         return Tensors{y.slice(0, 0, 3), y.t()};
       }},
      {"TwoViewsWithoutGradient", &plain,
       [](const Tensors& a) {
         const auto y = a[0].sin();
         return Tensors{y.slice(0, 0, 3), y.view({-1}).slice(0, 2, 9)};
       }},
      {"UnboundResult", &leaf,
       [](const Tensors& a) {
         const auto rows = a[0].exp().unbind();
         return Tensors{rows[0], rows[1], rows[3]};
       }},
      {"SameTwice", &leaf,
       [](const Tensors& a) {
         const auto y = a[0].cos();
         return Tensors{y, y};
       }},
      {"ResultAndItsDetached", &leaf,
       [](const Tensors& a) {
         const auto y = a[0].cos();
         return Tensors{y, y.detach()};
       }},
      {"WrittenViewOfAnInterior", &leaf,
       [](const Tensors& a) {
         const auto y = a[0] * 1;
         y.select(0, 1).mul_(3);
         y.t().select(0, 0).sin_();
         return Tensors{y, y.t()};
       }},
      {"NoOperations", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0].contiguous(), a[0].to(at::kFloat), at::dropout(a[0], 0.5, false),
                        a[0].reshape({4, 4})};
       }},
      {"IntegersAndMasks", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0] > 0, a[0].to(at::kLong), a[0].argmax(1), a[0] * 2};
       }},
      {"NothingButConstants", &plain,
       [](const Tensors& a) {
         return Tensors{at::zeros({3}), at::arange(4), a[0] + 0};
       }},
      {"IndependentResults",
       [] {
         return Tensors{at::randn({4}).requires_grad_(true), at::randn({4}).requires_grad_(true)};
       },
       [](const Tensors& a) {
         return Tensors{a[0].sin(), a[1].exp(), a[0] * a[1]};
       }},
      {"ResultOfWhatEarlierResultsAre", &leaf,
       [](const Tensors& a) {
         const auto h = a[0].tanh();
         const auto y = h * h;
         return Tensors{h, y, y.sum()};
       },
       CatalogueCase::Verdict::kCompiled, 1e-6},
      {"SingularElsewhere", [] { return Tensors{at::zeros({3}).requires_grad_(true)}; },
       [](const Tensors& a) {
         return Tensors{a[0] * 2, a[0].sqrt()};
       }},
  };
}

}  // namespace

std::vector<CatalogueCase> outputCases() {
  auto cases = ofInputs();
  for (auto& testCase : ofEachOther()) cases.push_back(testCase);
  return cases;
}

}  // namespace jitscope::compiler
