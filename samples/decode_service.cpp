// A small transformer that serves requests of changing batch and length, first eagerly, then
// compiled. It is what the quickstart records. Two things in it are there to be found by a report:
// a graph break (a range check that reads a number out of a tensor) and a recompile that a mark
// would have avoided (the batch size).
#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/library.h>
#include <torch/nn/module.h>
#include <torch/nn/modules/container/modulelist.h>

#include <chrono>
#include <iostream>
#include <vector>

#include "compiler/compiler.h"

namespace {

constexpr int64_t kWidth = 256, kHeads = 4, kHidden = 640, kLayers = 2, kVocabulary = 1000;
constexpr int64_t kLongest = 64;

/// Attention of one new position over a cache, for each row up to its own length: an opaque
/// operator, as in services whose attention has a kernel of its own.
at::Tensor attend(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                  const at::Tensor& lengths) {
  const int64_t batch = query.size(0), width = query.size(1) / kHeads;
  const at::Tensor q = query.view({batch, kHeads, 1, width});
  const at::Tensor k = keys.view({batch, kLongest, kHeads, width}).transpose(1, 2);
  const at::Tensor v = values.view({batch, kLongest, kHeads, width}).transpose(1, 2);
  const at::Tensor isVisible =
      at::arange(kLongest, lengths.options()).unsqueeze(0) < lengths.unsqueeze(1);
  return at::scaled_dot_product_attention(q, k, v, isVisible.view({batch, 1, 1, kLongest}))
      .reshape({batch, kHeads * width});
}

TORCH_LIBRARY(sample, library) {
  library.def("attend(Tensor query, Tensor keys, Tensor values, Tensor lengths) -> Tensor", attend);
}

at::Tensor callAttend(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                      const at::Tensor& lengths) {
  static const auto op = c10::Dispatcher::singleton()
                             .findSchemaOrThrow("sample::attend", "")
                             .typed<decltype(attend)>();
  return op.call(query, keys, values, lengths);
}

at::Tensor rmsNorm(const at::Tensor& x, const at::Tensor& weight) {
  return x * at::rsqrt(x.pow(2).mean(-1, /*keepdim=*/true) + 1e-6) * weight;
}

/// The keys and values of all layers, for a batch of sequences.
struct Cache {
  std::vector<at::Tensor> keys, values;
  at::Tensor lengths;

  explicit Cache(int64_t batch) : lengths(at::ones({batch}, at::kLong)) {
    for (int64_t layer = 0; layer < kLayers; ++layer) {
      keys.push_back(at::zeros({batch, kLongest, kWidth}));
      values.push_back(at::zeros({batch, kLongest, kWidth}));
    }
  }
};

struct LayerImpl : torch::nn::Module {
  LayerImpl() {
    const auto weight = [&](const char* name, int64_t rows, int64_t columns) {
      return register_parameter(name, at::randn({rows, columns}) / std::sqrt(double(rows)), false);
    };
    norm = register_parameter("norm", at::ones({kWidth}), false);
    query = weight("query", kWidth, kWidth);
    output = weight("output", kWidth, kWidth);
    mlpNorm = register_parameter("mlp_norm", at::ones({kWidth}), false);
    gate = weight("gate", kWidth, kHidden);
    up = weight("up", kWidth, kHidden);
    down = weight("down", kHidden, kWidth);
  }

  at::Tensor forward(const at::Tensor& x, const at::Tensor& keys, const at::Tensor& values,
                     const at::Tensor& lengths) const {
    const at::Tensor attended =
        callAttend(at::matmul(rmsNorm(x, norm), query), keys, values, lengths);
    const at::Tensor h = x + at::matmul(attended, output);
    const at::Tensor normed = rmsNorm(h, mlpNorm);
    return h + at::matmul(at::silu(at::matmul(normed, gate)) * at::matmul(normed, up), down);
  }

  at::Tensor norm, query, output, mlpNorm, gate, up, down;
};

struct DecoderImpl : torch::nn::Module {
  DecoderImpl() {
    embedding = register_parameter("embedding", at::randn({kVocabulary, kWidth}), false);
    norm = register_parameter("norm", at::ones({kWidth}), false);
    for (int64_t i = 0; i < kLayers; ++i) {
      layers.push_back(register_module("layer" + std::to_string(i), std::make_shared<LayerImpl>()));
    }
  }

  /// The next token of each sequence, and the hidden states that go into the cache.
  std::tuple<at::Tensor, std::vector<at::Tensor>> forward(const at::Tensor& tokens,
                                                          const std::vector<at::Tensor>& keys,
                                                          const std::vector<at::Tensor>& values,
                                                          const at::Tensor& lengths) const {
    at::Tensor x = at::embedding(embedding, tokens);
    std::vector<at::Tensor> states;
    for (size_t i = 0; i < layers.size(); ++i) {
      states.push_back(x);
      x = layers[i]->forward(x, keys[i], values[i], lengths);
    }
    at::Tensor logits = at::matmul(rmsNorm(x, norm), embedding.t());
    if (logits.abs().max().item<float>() > 30) logits = logits.clamp(-30, 30);  // the planted break
    return {logits.argmax(-1), states};
  }

  at::Tensor embedding, norm;
  std::vector<std::shared_ptr<LayerImpl>> layers;
};

/// Writes one position of all layers into the cache.
void remember(Cache& cache, const std::vector<at::Tensor>& states) {
  const at::Tensor rows = at::arange(cache.lengths.size(0));
  for (size_t layer = 0; layer < states.size(); ++layer) {
    cache.keys[layer].index_put_({rows, cache.lengths - 1}, states[layer]);
    cache.values[layer].index_put_({rows, cache.lengths - 1}, states[layer]);
  }
  cache.lengths += 1;
}

struct Request {
  int64_t batch, length;
};

/// Decodes each request greedily; gives all tokens one after the other.
template <class Step>
std::vector<int64_t> serve(const Step& step, const std::vector<Request>& requests) {
  std::vector<int64_t> decoded;
  for (const Request& request : requests) {
    Cache cache(request.batch);
    at::Tensor tokens = at::arange(request.batch) + 1;
    for (int64_t position = 0; position < request.length; ++position) {
      auto [next, states] = step(tokens, cache.keys, cache.values, cache.lengths);
      remember(cache, states);
      tokens = next;
      const auto* data = tokens.const_data_ptr<int64_t>();
      decoded.insert(decoded.end(), data, data + tokens.numel());
    }
  }
  return decoded;
}

template <class Work>
double secondsOf(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main() {
  // A token is too little work for several threads, which on a busy machine wait for each other.
  at::set_num_threads(1);
  const c10::NoGradGuard noGrad;
  at::manual_seed(0);
  const auto model = std::make_shared<DecoderImpl>();
  const auto step = jitscope::compile(
      model, {.name = "decode_step", .argumentNames = {"tokens", "keys", "values", "lengths"}});
  const std::vector<Request> requests = {{4, 24}, {4, 12}, {8, 16}, {6, 20}, {12, 10}};

  std::vector<int64_t> eager, compiled;
  const double eagerSeconds = secondsOf([&] {
    const jitscope::StanceScope stance(jitscope::Stance::kForceEager);
    eager = serve(step, requests);
  });
  const double compiledSeconds = secondsOf([&] { compiled = serve(step, requests); });

  const auto counts = step.frame().counts();
  std::cout << "decoded " << compiled.size() << " tokens in " << requests.size() << " requests\n"
            << "eager    " << eager.size() / eagerSeconds << " tokens/s\n"
            << "compiled " << compiled.size() / compiledSeconds << " tokens/s\n"
            << "compilations " << counts.compiles << ", of them again " << counts.recompiles << '\n'
            << "same tokens: " << (eager == compiled ? "yes" : "NO") << '\n';
  return eager == compiled ? 0 : 1;
}
