// Trains a small transformer with AdamW for a few steps, eagerly and then compiled: the compiled
// forward pass and the compiled backward pass are generated kernels around LibTorch's matrix
// products, and the losses are the same.
#include <ATen/ATen.h>
#include <torch/nn/module.h>
#include <torch/optim/adamw.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <vector>

#include "compiler/compiler.h"

namespace {

constexpr int64_t kWidth = 256, kHeads = 4, kHidden = 1024, kLayers = 3, kVocabulary = 1000;
constexpr int64_t kBatch = 8, kLength = 64;
constexpr int kSteps = 20;

struct LayerImpl : torch::nn::Module {
  LayerImpl() {
    const auto weight = [&](const char* name, int64_t rows, int64_t columns) {
      return register_parameter(name, at::randn({rows, columns}) / std::sqrt(double(rows)));
    };
    norm = register_parameter("norm", at::ones({kWidth}));
    query = weight("query", kWidth, 3 * kWidth);
    output = weight("output", kWidth, kWidth);
    mlpNorm = register_parameter("mlp_norm", at::ones({kWidth}));
    up = weight("up", kWidth, kHidden);
    down = weight("down", kHidden, kWidth);
  }

  at::Tensor forward(const at::Tensor& x) const {
    const int64_t batch = x.size(0), length = x.size(1);
    const at::Tensor normed = at::layer_norm(x, {kWidth}, norm);
    const at::Tensor heads =
        at::matmul(normed, query).view({batch, length, 3, kHeads, kWidth / kHeads});
    const auto head = [&](int64_t i) { return heads.select(2, i).transpose(1, 2); };
    const at::Tensor attended = at::scaled_dot_product_attention(
        head(0), head(1), head(2), /*attn_mask=*/{}, /*dropout_p=*/0.0, /*is_causal=*/true);
    const at::Tensor h =
        x + at::matmul(attended.transpose(1, 2).reshape({batch, length, kWidth}), output);
    const at::Tensor hidden = at::gelu(at::matmul(at::layer_norm(h, {kWidth}, mlpNorm), up));
    return h + at::matmul(hidden, down);
  }

  at::Tensor norm, query, output, mlpNorm, up, down;
};

struct ModelImpl : torch::nn::Module {
  ModelImpl() {
    embedding = register_parameter("embedding", at::randn({kVocabulary, kWidth}) * 0.1);
    norm = register_parameter("norm", at::ones({kWidth}));
    for (int64_t i = 0; i < kLayers; ++i) {
      layers.push_back(register_module("layer" + std::to_string(i), std::make_shared<LayerImpl>()));
    }
  }

  /// The mean loss of predicting each next token.
  at::Tensor forward(const at::Tensor& tokens, const at::Tensor& targets) const {
    at::Tensor x = at::embedding(embedding, tokens);
    for (const auto& layer : layers) x = layer->forward(x);
    const at::Tensor logits = at::matmul(at::layer_norm(x, {kWidth}, norm), embedding.t());
    return at::cross_entropy_loss(logits.view({-1, kVocabulary}), targets.view({-1}));
  }

  at::Tensor embedding, norm;
  std::vector<std::shared_ptr<LayerImpl>> layers;
};

std::shared_ptr<ModelImpl> freshModel() {
  at::manual_seed(0);
  return std::make_shared<ModelImpl>();
}

struct Training {
  std::vector<float> losses;
  double seconds = 0;  ///< of the steps after the second, which are compiled by then
};

/// Takes kSteps steps of AdamW on a model, whose loss `loss` computes.
template <class Loss>
Training train(ModelImpl& model, const Loss& loss) {
  torch::optim::AdamW optimizer(model.parameters(), torch::optim::AdamWOptions(1e-3));
  const at::Tensor tokens = at::randint(kVocabulary, {kBatch, kLength + 1});
  const at::Tensor inputs = tokens.narrow(1, 0, kLength).contiguous();
  const at::Tensor targets = tokens.narrow(1, 1, kLength).contiguous();
  Training training;
  std::chrono::steady_clock::time_point start;
  for (int step = 0; step < kSteps; ++step) {
    if (step == 2) start = std::chrono::steady_clock::now();
    optimizer.zero_grad();
    const at::Tensor value = loss(inputs, targets);
    value.backward();
    optimizer.step();
    training.losses.push_back(value.item<float>());
  }
  training.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return training;
}

}  // namespace

int main() {
  const auto eagerModel = freshModel(), model = freshModel();
  const auto compiledLoss = jitscope::compile(
      model, {.backend = "fused", .name = "loss", .argumentNames = {"tokens", "targets"}});
  at::manual_seed(1);
  const Training eager = train(*eagerModel, [&](const at::Tensor& tokens, const at::Tensor& next) {
    return eagerModel->forward(tokens, next);
  });
  at::manual_seed(1);
  const Training compiled = train(*model, compiledLoss);

  float apart = 0;
  for (int step = 0; step < kSteps; ++step) {
    apart = std::max(apart, std::abs(eager.losses[step] - compiled.losses[step]));
  }
  std::cout << "loss from " << eager.losses.front() << " to " << eager.losses.back() << '\n'
            << "eager    " << (kSteps - 2) / eager.seconds << " steps/s\n"
            << "compiled " << (kSteps - 2) / compiled.seconds << " steps/s\n"
            << "same losses: " << (apart < 1e-3F ? "yes" : "NO") << '\n';
  return apart < 1e-3F ? 0 : 1;
}
