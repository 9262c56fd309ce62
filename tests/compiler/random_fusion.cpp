#include "tests/compiler/random_fusion.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/where.h>

#include <random>
#include <sstream>

namespace jitscope::compiler {
namespace {

constexpr int64_t kColumns = 10;

/// Numbers that are the same in every type, so that functions of one seed can be compared.
at::Tensor randomTensor(std::mt19937_64& random, std::vector<int64_t> sizes,
                        const RandomFusion& of) {
  std::normal_distribution<double> normal;
  at::Tensor tensor = at::empty(sizes, at::kDouble);
  auto* elements = tensor.mutable_data_ptr<double>();
  // Few bits: exact in all floating types.
  for (int64_t i = 0; i < tensor.numel(); ++i) {
    elements[i] = std::round(normal(random) * 16) / 16;
  }
  return tensor.to(of.device, of.type);
}

class Generator {
 public:
  explicit Generator(const RandomFusion& of) : of_(of), random_(of.seed) {}

  TracedGraph make() {
    for (size_t i = 2 + pick(2); i > 0; --i) addInput();
    for (size_t i = 4 + pick(10); i > 0; --i) addOperator();
    graph_.output(values_.back());
    for (size_t i = pick(3); i > 0; --i) graph_.output(any());
    return std::move(graph_);
  }

 private:
  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  ValueId any() { return values_[pick(values_.size())]; }
  const at::Tensor& tensor(ValueId id) { return graph_.tensor(id); }

  void addInput() {
    const size_t kind = pick(7);
    // From a generator of their own: how many are drawn does not turn what is drawn later.
    std::mt19937_64 numbers(of_.seed * 31 + values_.size());
    at::Tensor x;
    switch (kind) {
      case 0:
        x = randomTensor(numbers, {kColumns, of_.rows}, of_).t();
        break;
      case 1:
        x = randomTensor(numbers, {of_.rows, 2 * kColumns}, of_).slice(1, 1, 1 + kColumns);
        break;
      case 2:
        x = randomTensor(numbers, {of_.rows, 1}, of_).expand({of_.rows, kColumns});
        break;
      case 3:
        x = randomTensor(numbers, {kColumns}, of_);
        break;
      case 4:
        x = randomTensor(numbers, {of_.rows, 2 * kColumns}, of_).slice(1, 0, 2 * kColumns, 2);
        break;
      default:
        x = randomTensor(numbers, {of_.rows, kColumns}, of_);
    }
    values_.push_back(graph_.input(x));
  }

  void keep(ValueId id) {
    if (tensor(id).is_floating_point()) values_.push_back(id);
  }

  void addOperator() {
    switch (pick(9)) {
      case 0:
      case 1:
      case 2:
        return addUnary();
      case 3:
      case 4:
        return addBinary();
      case 5:
        return addReduction();
      case 6:
        return addView();
      case 7:
        return addNorm();
      default:
        return addChoice();
    }
  }

  void addUnary() {
    static const std::vector<std::string> kOps{"tanh", "sigmoid", "cos",  "sin", "abs",    "neg",
                                               "silu", "relu",    "gelu", "erf", "square", "exp"};
    std::string op = kOps[pick(kOps.size())];
    ValueId x = any();
    // What grows without bound is tamed first.
    if (op == "exp" || op == "square") x = graph_.call("tanh", "", {{"self", x}});
    keep(graph_.call(op, "", {{"self", x}}));
  }

  void addBinary() {
    static const std::vector<std::string> kOps{"add", "sub", "mul", "maximum", "minimum"};
    const std::string op = kOps[pick(kOps.size())];
    const ValueId x = any(), y = any();
    if (!canBroadcast(tensor(x), tensor(y))) return addUnary();
    const bool hasOverload = op == "add" || op == "sub" || op == "mul";
    keep(graph_.call(op, hasOverload ? "Tensor" : "", {{"self", x}, {"other", y}}));
  }

  static bool canBroadcast(const at::Tensor& x, const at::Tensor& y) {
    for (int64_t i = 1; i <= std::min(x.dim(), y.dim()); ++i) {
      if (x.size(-i) != y.size(-i) && x.size(-i) != 1 && y.size(-i) != 1) return false;
    }
    return true;
  }

  void addReduction() {
    static const std::vector<std::string> kOps{"sum", "mean", "amax", "amin"};
    std::string op = kOps[pick(kOps.size())];
    const ValueId x = any();
    if (tensor(x).dim() == 0) return addUnary();
    const auto dim = static_cast<int64_t>(pick(static_cast<size_t>(tensor(x).dim())));
    const bool keeps = pick(2) == 0;
    if (tensor(x).size(dim) == 0) op = "sum";  // nothing has no largest element
    const std::string overload = op == "sum" ? "dim_IntList" : op == "mean" ? "dim" : "";
    keep(graph_.call(op, overload,
                     {{"self", x}, {"dim", std::vector<int64_t>{dim}}, {"keepdim", keeps}}));
  }

  void addView() {
    const ValueId x = any();
    const at::Tensor& t = tensor(x);
    if (t.dim() < 2) return keep(graph_.call("unsqueeze", "", {{"self", x}, {"dim", int64_t{0}}}));
    switch (pick(5)) {
      case 0:
        return keep(graph_.call("transpose", "int",
                                {{"self", x}, {"dim0", int64_t{0}}, {"dim1", int64_t{1}}}));
      case 1:
        return keep(
            graph_.call("reshape", "", {{"self", x}, {"shape", std::vector<int64_t>{t.numel()}}}));
      case 2:
        return keep(graph_.call("slice", "Tensor",
                                {{"self", x},
                                 {"dim", int64_t{1}},
                                 {"start", int64_t{0}},
                                 {"end", t.size(1)},
                                 {"step", int64_t{1}}}));
      case 3:
        return keep(
            graph_.call("flip", "", {{"self", x}, {"dims", std::vector<int64_t>{t.dim() - 1}}}));
      default:
        return keep(
            graph_.call("cat", "", {{"tensors", std::vector<ValueId>{x, x}}, {"dim", int64_t{1}}}));
    }
  }

  void addNorm() {
    const ValueId x = any();
    const at::Tensor& t = tensor(x);
    if (t.dim() == 0 || t.size(-1) < 2) return addUnary();
    if (pick(2) == 0) {
      return keep(graph_.call("softmax", "int", {{"self", x}, {"dim", t.dim() - 1}}));
    }
    keep(graph_.call("layer_norm", "",
                     {{"input", x}, {"normalized_shape", std::vector<int64_t>{t.size(-1)}}}));
  }

  /// where(input > 0, x, y): compared are inputs alone, which no rounding can turn.
  void addChoice() {
    const ValueId x = any(), y = any(), condition = graph_.graphInput(0);
    if (!canBroadcast(tensor(x), tensor(y)) || !canBroadcast(tensor(x), tensor(condition)) ||
        !canBroadcast(tensor(y), tensor(condition))) {
      return addUnary();
    }
    const ValueId mask = graph_.call("gt", "Scalar", {{"self", condition}, {"other", 0.03}});
    keep(graph_.call("where", "self", {{"condition", mask}, {"self", x}, {"other", y}}));
  }

  const RandomFusion of_;
  std::mt19937_64 random_;
  TracedGraph graph_;
  std::vector<ValueId> values_;
};

double largest(const at::Tensor& difference) {
  return difference.numel() == 0 ? 0 : difference.abs().max().item<double>();
}

}  // namespace

TracedGraph traceRandom(const RandomFusion& random) { return Generator(random).make(); }

std::string differenceOf(const std::vector<at::Tensor>& actual,
                         const std::vector<at::Tensor>& eager,
                         const std::vector<at::Tensor>& exact) {
  std::ostringstream text;
  for (size_t i = 0; i < eager.size(); ++i) {
    if (actual[i].sizes() != eager[i].sizes() || actual[i].strides() != eager[i].strides() ||
        actual[i].scalar_type() != eager[i].scalar_type()) {
      text << "output " << i << " is " << actual[i].toString() << actual[i].sizes()
           << actual[i].strides() << ", not " << eager[i].toString() << eager[i].sizes()
           << eager[i].strides() << "\n";
      continue;
    }
    const at::Tensor right = exact[i].to(at::kDouble), own = actual[i].to(at::kDouble);
    const at::Tensor isNan = at::isnan(right), zero = at::full({}, 0.0, right.options());
    if (!at::isnan(own).equal(at::isnan(eager[i]))) {
      text << "output " << i << " has NaN at other places\n";
      continue;
    }
    const auto error = [&](const at::Tensor& x) {
      const at::Tensor distance = at::where(isNan.logical_or(x.eq(right)), zero, x.sub(right));
      return largest(distance);
    };
    const double unit = actual[i].scalar_type() == at::kFloat      ? 1e-6
                        : actual[i].scalar_type() == at::kDouble   ? 1e-14
                        : actual[i].scalar_type() == at::kBFloat16 ? 8e-3
                                                                   : 1e-3;
    const double limit =
        2 * error(eager[i].to(at::kDouble)) +
        4 * unit * (1 + largest(at::where(isNan.logical_or(right.isinf()), zero, right)));
    if (!(error(own) <= limit)) {
      text << "output " << i << " differs by " << error(own) << ", eager by "
           << error(eager[i].to(at::kDouble)) << "\n";
    }
  }
  return text.str();
}

}  // namespace jitscope::compiler
