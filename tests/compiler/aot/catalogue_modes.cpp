#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <c10/core/GradMode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>

#include "tests/compiler/aot/catalogue.h"

namespace jitscope::compiler {
namespace {

using Verdict = CatalogueCase::Verdict;

struct Autocast {
  Autocast() : before(at::autocast::is_autocast_enabled(at::kCPU)) {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::increment_nesting();
  }
  ~Autocast() {
    if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
    at::autocast::set_autocast_enabled(at::kCPU, before);
  }
  bool before;
};

/// Gives twice the gradient that it should.
struct Doubling : torch::autograd::Function<Doubling> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x) {
    context->save_for_backward({x});
    return x.sin();
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    return {gradients[0] * context->get_saved_variables()[0].cos() * 2};
  }
};

std::vector<CatalogueCase> gradients() {
  return {
      {"Detached", &leaf, [](const Tensors& a) { return Tensors{a[0].sin().detach() * a[0]}; }},
      {"IslandWithoutGradient", &leaves,
       [](const Tensors& a) {
         const auto h = a[0].sin();
         at::Tensor scale;
         {
           const c10::NoGradGuard noGrad;
           scale = h.abs().mean() + a[1].sum();
         }
         return Tensors{h * scale, scale};
       }},
      {"AllWithoutGradient", &leaves,
       [](const Tensors& a) {
         const c10::NoGradGuard noGrad;
         return Tensors{at::linear(a[0], a[1]).relu_()};
       }},
      {"PartWithGradientInOneWithout", &leaf,
       [](const Tensors& a) {
         const c10::NoGradGuard noGrad;
         const auto h = a[0] * 2;
         const at::AutoGradMode grad(true);
         return Tensors{h * a[0]};
       }},
      {"InferenceMode", &plain,
       [](const Tensors& a) {
         const c10::InferenceMode inference;
         return Tensors{at::softmax(a[0], -1) * 2};
       },
       Verdict::kRefused},
      {"CustomFunction", &leaf,
       [](const Tensors& a) { return Tensors{Doubling::apply(a[0] * 2) + a[0]}; }},
      {"ViewThenWrite", &leaves,
       [](const Tensors& a) {
         auto y = a[0].clone();
         auto row = y.select(0, 0);
         row.mul_(a[1].select(0, 0));
         y.select(1, 1).add_(a[1].select(1, 0));
         return Tensors{y.sum(0)};
       }},
      {"InPlaceOnInterior", &leaf,
       [](const Tensors& a) {
         auto h = a[0] * 2;
         h.mul_(3).add_(1).sigmoid_();
         return Tensors{h};
       }},
      {"InPlaceThatAutogradForbids", &leaf,
       [](const Tensors& a) {
         auto h = a[0] * 2;
         h.relu_().add_(1);
         return Tensors{h};
       },
       Verdict::kRefused},
      {"WriteToWhatIsSaved", &leaf,
       [](const Tensors& a) {
         auto h = a[0].exp();
         const auto y = h * 2;
         h.add_(1);
         return Tensors{y + h};
       },
       Verdict::kRefused},
  };
}

std::vector<CatalogueCase> randomNumbers() {
  return {
      {"Dropout", &leaf, [](const Tensors& a) { return Tensors{at::dropout(a[0], 0.5, true)}; }},
      {"DropoutTwice", &leaf,
       [](const Tensors& a) {
         return Tensors{at::dropout(at::dropout(a[0], 0.3, true).sin(), 0.5, true)};
       }},
      {"FeatureDropout",
       [] {
         return Tensors{at::randn({2, 3, 4}).requires_grad_(true)};
       },
       [](const Tensors& a) { return Tensors{at::feature_dropout(a[0], 0.5, true)}; }},
      {"Draws", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0] * at::rand({4}) + at::randn_like(a[0]) + at::rand({4, 1}),
                        at::bernoulli(at::full({4}, 0.5)), at::randperm(5), at::randint(9, {3})};
       }},
      {"DrawsInPlace", &leaf,
       [](const Tensors& a) {
         return Tensors{a[0] + at::empty({4, 4}).uniform_(-1, 1) + at::empty({4}).normal_()};
       }},
      {"DrawsIntoAnInput", &plain,
       [](const Tensors& a) {
         a[0].normal_();
         return Tensors{a[0] * 2};
       }},
      {"DrawThatNobodyReads", &leaf,
       [](const Tensors& a) {
         at::rand({7});
         return Tensors{a[0] * at::rand({4})};
       }},
      {"GeneratorOfItsOwn", &plain,
       [](const Tensors& a) {
         return Tensors{a[0] + at::rand({4}, at::detail::getDefaultCPUGenerator())};
       },
       Verdict::kRefused},
  };
}

std::vector<CatalogueCase> autocasts() {
  return {
      {"Autocast", &leaves,
       [](const Tensors& a) {
         const Autocast on;
         return Tensors{at::linear(a[0], a[1]).sum()};
       }},
      {"AutocastWithOneWeightTwice", &leaves,
       [](const Tensors& a) {
         const Autocast on;
         return Tensors{at::matmul(at::matmul(a[0], a[1]), a[1]) + a[0]};
       }},
      {"PartUnderAutocast", &leaves,
       [](const Tensors& a) {
         at::Tensor h;
         {
           const Autocast on;
           h = at::matmul(a[0], a[1]);
         }
         return Tensors{at::matmul(h.to(at::kFloat), a[1])};
       }},
  };
}

}  // namespace

std::vector<CatalogueCase> modeCases() {
  auto cases = gradients();
  for (auto& testCase : randomNumbers()) cases.push_back(testCase);
  for (auto& testCase : autocasts()) cases.push_back(testCase);
  return cases;
}

}  // namespace jitscope::compiler
