#include <ATen/ATen.h>

#include "tests/compiler/aot/catalogue.h"

namespace jitscope::compiler {
namespace {

at::Tensor input(at::IntArrayRef sizes) { return at::randn(sizes); }
at::Tensor weight(at::IntArrayRef sizes) { return at::randn(sizes).requires_grad_(true); }
at::Tensor classes(int64_t count, int64_t below) { return at::randint(below, {count}, at::kLong); }

Tensors one() { return {weight({4, 8})}; }
Tensors two() { return {weight({4, 8}), weight({4, 8})}; }
Tensors normalized() { return {weight({4, 8}), weight({8}), weight({8})}; }
Tensors images() { return {weight({2, 4, 6, 6}), weight({4}), weight({4})}; }
Tensors attention() { return {weight({2, 2, 5, 4}), weight({2, 2, 5, 4}), weight({2, 2, 5, 4})}; }

at::Tensor block(const Tensors& a) {
  const auto n = at::layer_norm(a[0], {8});
  const auto qkv = at::linear(n, a[1]).view({2, 5, 3, 2, 4}).permute({2, 0, 3, 1, 4});
  const auto scores = at::softmax(qkv[0].matmul(qkv[1].transpose(-2, -1)) / 2.0, -1);
  const auto h = a[0] + at::linear(scores.matmul(qkv[2]).transpose(1, 2).reshape({2, 5, 8}), a[2]);
  return h + at::linear(at::silu(at::linear(at::rms_norm(h, {8}), a[3])), a[4]);
}

std::vector<CatalogueCase> layers() {
  return {
      {"Linear",
       [] {
         return Tensors{weight({4, 8}), weight({3, 8}), weight({3})};
       },
       [](const Tensors& a) { return Tensors{at::linear(a[0], a[1], a[2])}; }},
      {"MlpWithSilu",
       [] {
         return Tensors{input({4, 8}), weight({16, 8}), weight({8, 16})};
       },
       [](const Tensors& a) {
         return Tensors{at::linear(at::silu(at::linear(a[0], a[1])), a[2])};
       }},
      {"Activations", &one,
       [](const Tensors& a) {
         return Tensors{at::gelu(a[0]) + at::gelu(a[0], "tanh") + at::relu(a[0]) + at::tanh(a[0]) +
                        at::mish(a[0]) + at::hardswish(a[0]) + at::softplus(a[0]) + at::elu(a[0]) +
                        at::leaky_relu(a[0]) + at::log_sigmoid(a[0])};
       }},
      {"Glu", &one, [](const Tensors& a) { return Tensors{at::glu(a[0], -1)}; }},
      {"LayerNorm", &normalized,
       [](const Tensors& a) { return Tensors{at::layer_norm(a[0], {8}, a[1], a[2])}; }},
      {"RmsNorm", &normalized,
       [](const Tensors& a) { return Tensors{at::rms_norm(a[0], {8}, a[1])}; }},
      {"GroupNorm", &images,
       [](const Tensors& a) { return Tensors{at::group_norm(a[0], 2, a[1], a[2])}; }},
      {"BatchNormOfTraining",
       [] {
         return Tensors{weight({2, 4, 6, 6}), weight({4}), weight({4}), at::zeros({4}),
                        at::ones({4})};
       },
       [](const Tensors& a) {
         return Tensors{at::batch_norm(a[0], a[1], a[2], a[3], a[4], true, 0.1, 1e-5, false)};
       }},
      {"BatchNormOfEvaluation",
       [] {
         return Tensors{weight({2, 4, 6, 6}), weight({4}), weight({4}), at::zeros({4}),
                        at::ones({4})};
       },
       [](const Tensors& a) {
         return Tensors{at::batch_norm(a[0], a[1], a[2], a[3], a[4], false, 0.1, 1e-5, false)};
       }},
      {"BatchNormWithoutStatistics", &images,
       [](const Tensors& a) {
         return Tensors{at::batch_norm(a[0], a[1], a[2], {}, {}, true, 0.1, 1e-5, false)};
       }},
      {"Softmax", &one,
       [](const Tensors& a) {
         return Tensors{at::softmax(a[0], -1), at::log_softmax(a[0], 0)};
       }},
      {"CrossEntropy",
       [] {
         return Tensors{weight({4, 8}), classes(4, 8)};
       },
       [](const Tensors& a) { return Tensors{at::cross_entropy_loss(a[0], a[1])}; }},
      {"Embedding",
       [] {
         return Tensors{weight({10, 4}), classes(6, 10)};
       },
       [](const Tensors& a) { return Tensors{at::embedding(a[0], a[1]) * 2}; }},
      {"Convolution",
       [] {
         return Tensors{weight({1, 3, 8, 8}), weight({4, 3, 3, 3}), weight({4})};
       },
       [](const Tensors& a) { return Tensors{at::relu(at::conv2d(a[0], a[1], a[2], 1, 1))}; }},
      {"Pooling", &images,
       [](const Tensors& a) {
         return Tensors{at::max_pool2d(a[0], {2, 2}), at::avg_pool2d(a[0], {2, 2}),
                        at::adaptive_avg_pool2d(a[0], {1, 1})};
       }},
      {"Attention", &attention,
       [](const Tensors& a) {
         return Tensors{at::scaled_dot_product_attention(a[0], a[1], a[2])};
       }},
      {"CausalAttention", &attention,
       [](const Tensors& a) {
         return Tensors{at::scaled_dot_product_attention(a[0], a[1], a[2], {}, 0.0, true)};
       }},
      {"TransformerBlock",
       [] {
         return Tensors{weight({2, 5, 8}), weight({24, 8}), weight({8, 8}), weight({16, 8}),
                        weight({8, 16})};
       },
       [](const Tensors& a) { return Tensors{block(a)}; }},
      {"LstmCell",
       [] {
         return Tensors{weight({2, 3}),  weight({2, 4}), weight({2, 4}), weight({16, 3}),
                        weight({16, 4}), weight({16}),   weight({16})};
       },
       [](const Tensors& a) {
         const auto [h, c] = at::lstm_cell(a[0], {a[1], a[2]}, a[3], a[4], a[5], a[6]);
         return Tensors{h, c};
       }},
      {"Losses", &two,
       [](const Tensors& a) {
         return Tensors{at::mse_loss(a[0], a[1]) + at::l1_loss(a[0], a[1]) +
                        at::huber_loss(a[0], a[1]) +
                        at::binary_cross_entropy_with_logits(a[0], at::sigmoid(a[1]))};
       }},
  };
}

std::vector<CatalogueCase> operators() {
  return {
      {"IndexPut",
       [] {
         return Tensors{weight({6, 4}), classes(2, 6), weight({2, 4})};
       },
       [](const Tensors& a) {
         auto copy = a[0] * 1;
         copy.index_put_({a[1]}, a[2], true);
         return Tensors{copy};
       }},
      {"ScatterAndGather",
       [] {
         return Tensors{weight({4, 8}), at::randint(4, {3, 8}, at::kLong), weight({3, 8})};
       },
       [](const Tensors& a) {
         return Tensors{a[0].gather(0, a[1]), a[0].scatter_add(0, a[1], a[2])};
       }},
      {"CatChunkStack", &two,
       [](const Tensors& a) {
         const auto chunks = at::cat({a[0], a[1]}, 1).chunk(3, 1);
         return Tensors{at::stack({chunks[0], chunks[0] * 2}), chunks[1] + chunks[2].sum()};
       }},
      {"Einsum",
       [] {
         return Tensors{weight({3, 4}), weight({4, 5})};
       },
       [](const Tensors& a) {
         return Tensors{at::einsum("ij,jk->ki", {a[0], a[1]})};
       }},
      {"WhereClampMaskedFill", &two,
       [](const Tensors& a) {
         return Tensors{at::where(a[0] > a[1], a[0], a[1] * 2) + at::clamp(a[0], -0.5, 0.5) +
                        a[1].masked_fill(a[0] > 0, 3)};
       }},
      {"TopkAndMax", &one,
       [](const Tensors& a) {
         const auto [values, indices] = at::topk(a[0], 3, 1);
         const auto [largest, at] = a[0].max(1);
         return Tensors{values, indices, largest, at};
       }},
      {"VarStdNormLogsumexp", &one,
       [](const Tensors& a) {
         return Tensors{a[0].var(1) + a[0].std(1) + a[0].norm(2, 1) + at::logsumexp(a[0], {1})};
       }},
      {"LinearAlgebra",
       [] {
         return Tensors{weight({3, 3}), weight({3, 2})};
       },
       [](const Tensors& a) {
         const auto positive = a[0].matmul(a[0].t()) + at::eye(3);
         return Tensors{at::linalg_solve(positive, a[1]), at::linalg_cholesky(positive)};
       }},
      {"FourierTransform", &one,
       [](const Tensors& a) { return Tensors{at::fft_irfft(at::fft_rfft(a[0]) * 2)}; }},
      {"ComplexAndConjugate", &two,
       [](const Tensors& a) {
         const auto z = at::complex(a[0], a[1]);
         return Tensors{at::real(z * z.conj()), at::view_as_real(z).sum()};
       }},
      {"ChannelsLast", &images,
       [](const Tensors& a) {
         return Tensors{at::relu(a[0].contiguous(at::MemoryFormat::ChannelsLast)) * 2};
       }},
      {"Bfloat16", &two,
       [](const Tensors& a) {
         return Tensors{(a[0].to(at::kBFloat16) * a[1].to(at::kBFloat16)).to(at::kFloat)};
       }},
      {"UnfoldRollFlipPadCumsum", &one,
       [](const Tensors& a) {
         return Tensors{a[0].unfold(1, 3, 2).sum(-1), a[0].roll(1, 0).flip({1}).cumsum(1),
                        at::constant_pad_nd(a[0], {1, 1})};
       }},
      {"Factories", &one,
       [](const Tensors& a) {
         return Tensors{a[0] + at::arange(8) + at::zeros({8}) + at::ones_like(a[0]) +
                        at::full({8}, 0.5)};
       }},
      {"NumbersOfPython", &one,
       [](const Tensors& a) { return Tensors{2.0 - a[0] * 3 + 1 / (a[0] + 10)}; }},
      {"ForeachAndAddcmul", &two,
       [](const Tensors& a) {
         const auto sums = at::_foreach_add({a[0], a[1]}, 1.5);
         return Tensors{at::addcmul(sums[0], a[0], sums[1], 0.5), at::lerp(a[0], a[1], 0.3)};
       }},
  };
}

}  // namespace

std::vector<CatalogueCase> networkCases() {
  auto cases = layers();
  for (auto& testCase : operators()) cases.push_back(testCase);
  return cases;
}

}  // namespace jitscope::compiler
