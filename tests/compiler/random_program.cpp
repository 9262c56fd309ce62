#include "tests/compiler/random_program.h"

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

#include <algorithm>
#include <array>
#include <optional>
#include <random>
#include <sstream>

#include "compiler/frontend/break_reason.h"

namespace jitscope::compiler {
namespace {

using Kind = Instruction::Kind;

constexpr std::array kNames{"unary",
                            "binary",
                            "scalar",
                            "matmul",
                            "view",
                            "in_place",
                            "in_place_scalar",
                            "reduce",
                            "cast",
                            "factory",
                            "random",
                            "cat",
                            "index_put",
                            "break",
                            "loop",
                            "grad_mode",
                            "detach",
                            "read",
                            "keep",
                            "write",
                            "plain",
                            "explicit_break",
                            "gradient",
                            "hook",
                            "view_of_input",
                            "nested",
                            "optional",
                            "list",
                            "no_grad_scope",
                            "write_to_view",
                            "integer",
                            "host_tensor",
                            "out",
                            "set_data",
                            "read_input"};
static_assert(kNames.size() == static_cast<size_t>(Kind::kCount));

bool canBroadcast(const at::Tensor& left, const at::Tensor& right) {
  const auto a = left.sizes(), b = right.sizes();
  for (size_t i = 1; i <= std::min(a.size(), b.size()); ++i) {
    const auto x = a[a.size() - i], y = b[b.size() - i];
    if (x != y && x != 1 && y != 1) return false;
  }
  return true;
}

/// The state of one run.
class Machine {
 public:
  Machine(const Tensors& inputs, int call, Tensors& kept, MadeTensors& made)
      : inputs_(inputs), call_(call), kept_(kept), made_(made) {
    for (size_t i = 0; i < registers_.size(); ++i) registers_[i] = inputs[i % inputs.size()];
  }

  void step(const Instruction& line) {
    const at::Tensor& a = registers_[static_cast<size_t>(line.left)];
    const at::Tensor& b = registers_[static_cast<size_t>(line.right)];
    if (at::Tensor made = result(line, a, b); made.defined()) {
      made_.add(made);
      registers_[static_cast<size_t>(line.target)] = std::move(made);
    }
  }

  Tensors results() const { return {registers_[0], registers_[3], registers_[5]}; }

 private:
  at::Tensor result(const Instruction& line, const at::Tensor& a, const at::Tensor& b) {
    switch (line.kind) {
      case Kind::kUnary:
        return unary(line.variant, a);
      case Kind::kBinary:
        return binary(line.variant, a, b);
      case Kind::kScalar:
        return line.variant % 2 ? a * line.scalar : a + line.scalar;
      case Kind::kMatmul:
        return matmul(a, b);
      case Kind::kView:
        return view(line.variant, a);
      case Kind::kInPlace:
        return inPlace(line.variant, a, b);
      case Kind::kInPlaceScalar:
        return at::Tensor(a).mul_(line.scalar);
      case Kind::kReduce:
        return reduce(line.variant, a);
      case Kind::kCast:
        return a.to(line.variant % 2 ? at::kDouble : at::kFloat);
      case Kind::kFactory:
        return line.variant % 2 ? at::zeros({4, 4}) : at::ones_like(a);
      case Kind::kRandom:
        return random(line.variant, a);
      case Kind::kCat:
        return a.dim() > 0 ? at::cat({a, a}, 0).slice(0, 0, a.size(0)) : at::Tensor();
      case Kind::kIndexPut:
        return indexPut(a, line.scalar);
      case Kind::kBreak:
        return a.sum().item<double>() > line.scalar ? a + 1 : a.sin();
      case Kind::kLoop:
        return loop(a, line.scalar);
      case Kind::kGradMode:
        return gradMode();
      case Kind::kDetach:
        return a.detach();
      case Kind::kRead:
        return a.numel() && *static_cast<const char*>(a.const_data_ptr()) > 40 ? a.neg() : a;
      case Kind::kKeep:
        return kept_.size() < 4 ? (kept_.push_back(a), at::Tensor()) : at::Tensor();
      case Kind::kWrite:
        return writtenTo(a);
      case Kind::kPlain: {
        const PlainScope plain(reasonOfDisabledCallable("helper"));
        return a.sin() + b.sum();
      }
      case Kind::kExplicitBreak:
        breakGraph(reasonOfExplicitBreak("random"));
        return {};
      case Kind::kGradient:
        return gradient(a);
      case Kind::kHook:
        if (a.requires_grad()) a.register_hook([](at::Tensor g) { return g * 2; });
        return {};
      default:
        return rarer(line, a, b);
    }
  }

  at::Tensor rarer(const Instruction& line, const at::Tensor& a, const at::Tensor& b) {
    switch (line.kind) {
      case Kind::kViewOfInput:
        return view(line.variant, inputs_[static_cast<size_t>(line.left) % inputs_.size()]);
      case Kind::kNested:
        return nested(a, b);
      case Kind::kOptional:
        return optional(line.variant, a);
      case Kind::kList:
        return line.variant % 2 ? at::stack({a, a * 2}).sum(0) : at::cat(a.reshape({-1}).split(3));
      case Kind::kNoGradScope: {
        const c10::NoGradGuard noGrad;
        return (a * 2 + b.sum()).add_(1);
      }
      case Kind::kWriteToView:
        return writtenThroughView(line.variant, a, b);
      case Kind::kInteger:
        return integer(line.variant, a);
      case Kind::kHostTensor:
        return hostTensor(line.variant, a);
      case Kind::kOut:
        return product(a.detach());
      case Kind::kSetData: {
        auto fresh = a.detach().clone();
        fresh.set_data(fresh * 2);
        return fresh + a;
      }
      case Kind::kReadInput: {
        const auto& input = inputs_.front();
        return *static_cast<const char*>(input.const_data_ptr()) > 40 ? a.cos() : a;
      }
      default:
        return {};
    }
  }

  static at::Tensor product(const at::Tensor& a) {
    auto out = at::empty_like(a);
    return at::mul_out(out, a, a);
  }

  static at::Tensor nested(const at::Tensor& a, const at::Tensor& b) {
    CompiledFunction inner([](const Tensors& x) -> Tensors {
      const auto h = x[0].sin() + x[1].sum();
      return {h.sum().item<double>() > 0 ? h * 2 : h - 1};
    });
    inner({a, b});
    return inner({a, b})[0];
  }

  static at::Tensor optional(int variant, const at::Tensor& a) {
    if (a.dim() == 0) return at::clamp(a, std::optional<at::Scalar>(), 1.0);
    switch (variant % 4) {
      case 0:
        return at::clamp(a, variant % 3 ? std::optional<at::Scalar>(-0.5) : std::nullopt, 0.5);
      case 1:
        return at::layer_norm(a, {a.size(-1)},
                              variant % 3 ? at::ones({a.size(-1)}, a.options()) : at::Tensor());
      case 2:
        return a.index({at::arange(a.size(0)).flip(0)});
      default:
        return at::sum(a, variant % 3 ? at::OptionalIntArrayRef({0}) : std::nullopt);
    }
  }

  static at::Tensor writtenThroughView(int variant, const at::Tensor& a, const at::Tensor& b) {
    at::Tensor target = variant % 3 ? a * 1 : a;
    at::Tensor part = view(variant, target);
    if (variant % 2) {
      part.mul_(b.sum());
    } else {
      part.add_(1);
    }
    return variant % 5 ? target : part;
  }

  static at::Tensor integer(int variant, const at::Tensor& a) {
    switch (variant % 5) {
      case 0:
        return (a.to(at::kInt) + 1).to(a.scalar_type());
      case 1:
        return (a > 0).to(a.scalar_type());
      case 2:
        return a.to(at::kHalf).to(at::kFloat);
      case 3:
        return a.to(at::kBFloat16) * 2;
      default:
        return at::where(a > 0, a, a.to(at::kDouble));
    }
  }

  at::Tensor hostTensor(int variant, const at::Tensor& a) const {
    // The same number in most calls.
    const double varying = variant % 2 && call_ > 3 ? call_ : 1.5;
    if (variant % 3 == 0) return a * torch::tensor(std::vector<double>{varying});
    if (variant % 3 == 1) return a + torch::tensor({varying, 2.0}).sum();
    auto made = at::zeros({1});
    float* numbers = made.data_ptr<float>();
    *numbers = static_cast<float>(varying);
    const auto first = a + made;
    if (variant % 5 == 0) *numbers = 7;
    return first * made;
  }

  static at::Tensor unary(int variant, const at::Tensor& a) {
    switch (variant % 6) {
      case 0:
        return a.sin();
      case 1:
        return a.relu();
      case 2:
        return a.neg();
      case 3:
        return a.tanh();
      case 4:
        return a.abs();
      default:
        return a.clone();
    }
  }

  static at::Tensor binary(int variant, const at::Tensor& a, const at::Tensor& b) {
    if (!canBroadcast(a, b)) return a + b.sum();
    switch (variant % 4) {
      case 0:
        return a + b;
      case 1:
        return a * b;
      case 2:
        return a - b;
      default:
        return at::maximum(a, b);
    }
  }

  static at::Tensor matmul(const at::Tensor& a, const at::Tensor& b) {
    const bool fits = a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(0) &&
                      a.scalar_type() == b.scalar_type();
    return fits ? a.matmul(b) * 0.25 : a * 2;
  }

  static at::Tensor view(int variant, const at::Tensor& a) {
    if (a.dim() == 0) return a.unsqueeze(0);
    switch (variant % 7) {
      case 0:
        return a.transpose(0, -1);
      case 1:
        return a.reshape({-1});
      case 2:
        return a.select(0, 0);
      case 3:
        return a.slice(0, 0, (a.size(0) + 1) / 2);
      case 4:
        return a.unsqueeze(-1);
      case 5:
        return a.unsqueeze(0).expand_as(a.unsqueeze(0));
      default:
        return a.chunk(2, 0)[0];
    }
  }

  static at::Tensor inPlace(int variant, const at::Tensor& a, const at::Tensor& b) {
    at::Tensor target = a;
    const bool fits = canBroadcast(a, b) && a.dim() >= b.dim();
    const at::Tensor other = fits ? b : b.sum();
    if (variant % 3 == 0) return target.copy_(other);
    return variant % 3 == 1 ? target.add_(other, 0.5) : target.mul_(other);
  }

  static at::Tensor reduce(int variant, const at::Tensor& a) {
    if (a.dim() == 0 || variant % 3 == 0) return a.mean();
    return variant % 3 == 1 ? a.sum(0) : std::get<0>(a.max(0, true));
  }

  static at::Tensor random(int variant, const at::Tensor& a) {
    if (variant % 3 == 0) return at::dropout(a, 0.5, true);
    return variant % 3 == 1 ? a + at::rand({1}) : a * at::randn_like(a.detach());
  }

  static at::Tensor indexPut(const at::Tensor& a, double scalar) {
    if (a.dim() == 0 || a.size(0) == 0) return {};
    auto copy = a.clone();
    return copy.index_put_({at::arange(1)}, at::scalar_tensor(scalar, a.scalar_type()));
  }

  static at::Tensor loop(const at::Tensor& a, double scalar) {
    at::Tensor value = a;
    for (int i = 0; i < 3 && value.abs().sum().item<double>() > scalar + 3; ++i)
      value = value * 0.5;
    return value;
  }

  static at::Tensor writtenTo(const at::Tensor& a) {
    auto fresh = a.detach().clone();
    if (fresh.numel() > 0) *static_cast<char*>(fresh.mutable_data_ptr()) = 5;
    return fresh + a;
  }

  static at::Tensor gradient(const at::Tensor& a) {
    if (!a.requires_grad() || !c10::GradMode::is_enabled()) return {};
    const auto gradients =
        torch::autograd::grad({(a * a).sum()}, {a}, {}, true, false, /*allow_unused=*/true);
    return gradients[0].defined() ? gradients[0].detach() * 0.5 : at::Tensor();
  }

  at::Tensor gradMode() {
    if (noGrad_) {
      noGrad_.reset();
    } else {
      noGrad_.emplace();
    }
    return {};
  }

  const Tensors& inputs_;
  int call_;
  std::array<at::Tensor, RandomProgram::kRegisters> registers_;
  Tensors& kept_;
  MadeTensors& made_;
  std::optional<c10::NoGradGuard> noGrad_;
};

}  // namespace

std::string Instruction::text() const {
  std::ostringstream line;
  line << 'r' << target << " = " << kNames[static_cast<size_t>(kind)] << '.' << variant << "(r"
       << left << ", r" << right << ", " << scalar << ')';
  return line.str();
}

RandomProgram RandomProgram::generate(uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random() % static_cast<uint64_t>(bound));
  };
  RandomProgram program;
  program.seed = seed;
  program.inputCount = 1 + below(2);
  program.requiresGrad = below(2) == 0;
  program.dataType = below(4) == 0 ? at::kDouble : at::kFloat;
  const int layout = below(6);
  if (layout < 2) program.layout = layout ? Layout::kViews : Layout::kOneStorage;
  const int length = 3 + below(14);
  for (int i = 0; i < length; ++i) {
    Instruction line;
    line.kind = static_cast<Kind>(below(static_cast<int>(Kind::kCount)));
    // Breaks of all sorts would leave no segment of some length.
    const bool isBreak = line.kind == Kind::kBreak || line.kind == Kind::kLoop ||
                         line.kind == Kind::kRead || line.kind == Kind::kKeep;
    if (isBreak && below(2)) line.kind = Kind::kBinary;
    line.target = below(kRegisters);
    line.left = below(kRegisters);
    line.right = below(kRegisters);
    line.variant = below(42);
    line.scalar = below(9) * 0.5 - 2;
    program.instructions.push_back(line);
  }
  return program;
}

bool MadeTensors::isAnyAlive() const {
  return std::any_of(made_.begin(), made_.end(),
                     [](const auto& tensor) { return tensor.use_count() > 0; });
}

Tensors RandomProgram::run(const Tensors& inputs, int call, Tensors& kept,
                           MadeTensors& made) const {
  Machine machine(inputs, call, kept, made);
  for (const auto& line : instructions) machine.step(line);
  return machine.results();
}

Tensors RandomProgram::inputs(int call) const {
  at::manual_seed(seed * 31 + static_cast<uint64_t>(call));
  // The size changes once, the values at every call.
  const int64_t rows = call < 3 ? 4 : 3;
  Tensors made;
  for (int i = 0; i < inputCount; ++i) {
    auto tensor = at::randn({layout == Layout::kViews ? rows + 1 : rows, 4}, dataType);
    if (requiresGrad) tensor.requires_grad_(true);
    if (layout == Layout::kOneStorage && i > 0) {
      made.push_back(made[0].t());
    } else {
      made.push_back(layout == Layout::kViews ? tensor.slice(0, 1) : tensor);
    }
  }
  return made;
}

bool RandomProgram::readsBits() const {
  return std::any_of(instructions.begin(), instructions.end(), [](const Instruction& line) {
    return line.kind == Kind::kRead || line.kind == Kind::kReadInput;
  });
}

bool RandomProgram::makesCycles() const {
  MadeTensors made;
  for (int call = 0; call < kCalls; ++call) {
    Tensors kept;
    try {
      run(inputs(call), call, kept, made);
    } catch (const std::exception&) {
      // What it throws here, it throws in each run.
    }
  }
  return made.isAnyAlive();
}

std::string RandomProgram::text() const {
  std::ostringstream lines;
  lines << "seed " << seed << ": " << inputCount << " inputs of " << dataType
        << (requiresGrad ? ", requiring gradient" : "")
        << (layout == Layout::kPlain   ? "\n"
            : layout == Layout::kViews ? ", views\n"
                                       : ", one storage\n");
  for (const auto& line : instructions) lines << "  " << line.text() << '\n';
  return lines.str();
}

}  // namespace jitscope::compiler
