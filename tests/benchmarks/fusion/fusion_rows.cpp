#include "tests/benchmarks/fusion/fusion_rows.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>

namespace jitscope::compiler {
namespace {

using Sizes = std::vector<int64_t>;

/// Writes the functions of the rows in few words.
struct Writer {
  at::Device device;
  TracedGraph graph = {};

  ValueId input(const Sizes& sizes, at::ScalarType type = at::kFloat) {
    return graph.input(at::randn(sizes, at::TensorOptions(device)).to(type));
  }
  ValueId unary(const char* op, ValueId x) { return graph.call(op, "", {{"self", x}}); }
  ValueId binary(const char* op, ValueId x, ValueId y) {
    return graph.call(op, "Tensor", {{"self", x}, {"other", y}});
  }
  ValueId scalar(const char* op, ValueId x, double y) {
    return graph.call(op, "Scalar", {{"self", x}, {"other", y}});
  }
  ValueId to(ValueId x, at::ScalarType type) {
    return graph.call("to", "dtype", {{"self", x}, {"dtype", type}});
  }
  ValueId meanOfRows(ValueId x) {
    return graph.call("mean", "dim", {{"self", x}, {"dim", Sizes{-1}}, {"keepdim", true}});
  }
  ValueId softmax(ValueId x) {
    return graph.call("softmax", "int", {{"self", x}, {"dim", int64_t{-1}}});
  }
  /// x * rsqrt(mean(x^2) + 1e-6)
  ValueId normalized(ValueId x) {
    const ValueId square =
        graph.call("pow", "Tensor_Scalar", {{"self", x}, {"exponent", int64_t{2}}});
    const ValueId scale = unary("rsqrt", scalar("add", meanOfRows(square), 1e-6));
    return binary("mul", x, scale);
  }
  TracedGraph done(std::vector<ValueId> outputs) {
    for (const ValueId id : outputs) graph.output(id);
    return std::move(graph);
  }
};

FusionRow row(std::string name, std::function<std::vector<ValueId>(Writer&)> write) {
  return {std::move(name), [write = std::move(write)](at::Device device) {
            Writer writer{device};
            std::vector<ValueId> outputs = write(writer);
            return writer.done(std::move(outputs));
          }};
}

std::string sizeName(const char* name, int64_t rows, int64_t columns, at::ScalarType type) {
  return std::string(name) + "_" + std::to_string(rows) + "x" + std::to_string(columns) +
         (type == at::kFloat ? "_fp32" : "_bf16");
}

void addNorms(std::vector<FusionRow>& rows, int64_t r, int64_t d, at::ScalarType type) {
  rows.push_back(row(sizeName("rms_silu_mul", r, d, type), [=](Writer& w) {
    const ValueId x = w.input({r, d}, type), weight = w.input({d}, type), u = w.input({r, d}, type);
    const ValueId h = w.binary("mul", w.normalized(x), weight);
    return std::vector{w.binary("mul", w.unary("silu", h), u)};
  }));
  rows.push_back(row(sizeName("layer_norm", r, d, type), [=](Writer& w) {
    const ValueId x = w.input({r, d}, type), weight = w.input({d}, type), bias = w.input({d}, type);
    return std::vector{w.graph.call(
        "layer_norm", "",
        {{"input", x}, {"normalized_shape", Sizes{d}}, {"weight", weight}, {"bias", bias}})};
  }));
  rows.push_back(row(sizeName("residual_rms", r, d, type), [=](Writer& w) {
    const ValueId x = w.input({r, d}, type), y = w.input({r, d}, type), weight = w.input({d}, type);
    const ValueId h = w.binary("add", x, y);
    const ValueId wide = type == at::kFloat ? h : w.to(h, at::kFloat);
    const ValueId square =
        w.graph.call("pow", "Tensor_Scalar", {{"self", wide}, {"exponent", int64_t{2}}});
    const ValueId scale = w.unary("rsqrt", w.scalar("add", w.meanOfRows(square), 1e-6));
    const ValueId narrow = type == at::kFloat ? scale : w.to(scale, type);
    return std::vector{h, w.binary("mul", w.binary("mul", h, narrow), weight)};
  }));
  rows.push_back(row(sizeName("swiglu", r, d, type), [=](Writer& w) {
    const ValueId a = w.input({r, d}, type), b = w.input({r, d}, type);
    return std::vector{w.binary("mul", w.unary("silu", a), b)};
  }));
}

ValueId rope(Writer& w, ValueId x, ValueId cosine, ValueId sine) {
  const auto halves =
      w.graph.callAll("chunk", "", {{"self", x}, {"chunks", int64_t{2}}, {"dim", int64_t{-1}}});
  const ValueId turned =
      w.graph.call("cat", "",
                   {{"tensors", std::vector<ValueId>{w.unary("neg", halves[1]), halves[0]}},
                    {"dim", int64_t{-1}}});
  return w.binary("add", w.binary("mul", x, cosine), w.binary("mul", turned, sine));
}

void addAttentionParts(std::vector<FusionRow>& rows, int64_t scale) {
  const int64_t r = 16384 / scale, length = 4096 / scale;
  for (const int64_t n : {1024, 8192, 32768, 131072}) {
    rows.push_back(row("softmax_4096x" + std::to_string(n), [=](Writer& w) {
      return std::vector{w.softmax(w.input({4096 / scale, n}))};
    }));
  }
  rows.push_back(row("masked_softmax", [=](Writer& w) {
    const ValueId x = w.input({r, 4096}), y = w.input({r, 4096});
    const ValueId mask = w.graph.input(w.graph.tensor(y).gt(-1.28));
    const ValueId masked =
        w.graph.call("where", "ScalarOther", {{"condition", mask}, {"self", x}, {"other", -1e30}});
    return std::vector{w.softmax(masked)};
  }));
  rows.push_back(row("rope", [=](Writer& w) {
    const ValueId x = w.input({8, 32, length, 128}, at::kBFloat16);
    const ValueId c = w.input({length, 128}, at::kBFloat16),
                  s = w.input({length, 128}, at::kBFloat16);
    return std::vector{rope(w, x, c, s)};
  }));
}

void addOthers(std::vector<FusionRow>& rows, int64_t scale) {
  const int64_t r = 16384 / scale;
  rows.push_back(row("geglu_tanh", [=](Writer& w) {
    const ValueId a = w.input({r, 4096}, at::kBFloat16), b = w.input({r, 4096}, at::kBFloat16);
    const ValueId g = w.graph.call("gelu", "", {{"self", a}, {"approximate", std::string("tanh")}});
    return std::vector{w.binary("mul", g, b)};
  }));
  rows.push_back(row("sum_dim0_65536x4096", [=](Writer& w) {
    return std::vector{w.graph.call("sum", "dim_IntList",
                                    {{"self", w.input({65536 / scale, 4096})}, {"dim", Sizes{0}}})};
  }));
  rows.push_back(row("sum_mean_full", [=](Writer& w) {
    const ValueId x = w.input({(int64_t{1} << 30) / scale}, at::kBFloat16);
    return std::vector{w.unary("sum", x), w.unary("mean", x)};
  }));
  rows.push_back(row("bn_eval_relu_add_nchw", [=](Writer& w) {
    const Sizes sizes{128 / scale, 256, 56, 56};
    const ValueId x = w.input(sizes, at::kBFloat16), y = w.input(sizes, at::kBFloat16);
    const ValueId m = w.input({256}),
                  v = w.graph.input(at::rand({256}, at::TensorOptions(w.device)).add(1));
    const ValueId weight = w.input({256}), bias = w.input({256});
    const ValueId normal = w.graph.call("batch_norm", "",
                                        {{"input", x},
                                         {"weight", weight},
                                         {"bias", bias},
                                         {"running_mean", m},
                                         {"running_var", v},
                                         {"training", false},
                                         {"momentum", 0.1},
                                         {"eps", 1e-5},
                                         {"cudnn_enabled", false}});
    return std::vector{w.binary("add", w.unary("relu", normal), y)};
  }));
  rows.push_back(row("group_norm_silu", [=](Writer& w) {
    const ValueId x = w.input({scale > 1 ? 2 : 32, 320, 64, 64}, at::kBFloat16);
    const ValueId weight = w.input({320}, at::kBFloat16), bias = w.input({320}, at::kBFloat16);
    const ValueId g = w.graph.call(
        "group_norm", "",
        {{"input", x}, {"num_groups", int64_t{32}}, {"weight", weight}, {"bias", bias}});
    return std::vector{w.unary("silu", g)};
  }));
  rows.push_back(row("int8_quant_rowwise", [=](Writer& w) {
    const ValueId x = w.input({r, 4096}, at::kBFloat16);
    const ValueId most = w.graph.call(
        "amax", "", {{"self", w.unary("abs", x)}, {"dim", Sizes{-1}}, {"keepdim", true}});
    const ValueId s = w.scalar("div", w.to(most, at::kFloat), 127.0);
    const ValueId q = w.unary("round", w.binary("div", w.to(x, at::kFloat), s));
    const ValueId limited =
        w.graph.call("clamp", "", {{"self", q}, {"min", -128.0}, {"max", 127.0}});
    return std::vector{w.to(limited, at::kChar), s};
  }));
  rows.push_back(row("x_plus_xt", [=](Writer& w) {
    const int64_t n = scale > 1 ? 2048 : 8192;
    const ValueId x = w.input({n, n});
    return std::vector{w.binary("add", x, w.unary("t", x))};
  }));
  rows.push_back(row("cat4_pointwise", [=](Writer& w) {
    std::vector<ValueId> parts;
    for (int i = 0; i < 4; ++i) parts.push_back(w.input({r, 1024}, at::kBFloat16));
    const ValueId cat = w.graph.call("cat", "", {{"tensors", parts}, {"dim", int64_t{1}}});
    return std::vector{w.scalar("mul", w.unary("relu", cat), 2.0)};
  }));
}

}  // namespace

std::vector<FusionRow> fusionRows(int64_t scale) {
  std::vector<FusionRow> rows;
  addNorms(rows, 8, 4096, at::kBFloat16);
  addNorms(rows, 4096 / scale, 4096, at::kFloat);
  addNorms(rows, 16384 / scale, 4096, at::kBFloat16);
  addAttentionParts(rows, scale);
  addOthers(rows, scale);
  return rows;
}

}  // namespace jitscope::compiler
