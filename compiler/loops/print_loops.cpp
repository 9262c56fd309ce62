#include <fmt/format.h>

#include <array>
#include <set>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {
namespace {

std::string sizesText(std::span<const Index> sizes) {
  std::string text;
  for (const Index& size : sizes) text += (text.empty() ? "" : ", ") + size.text();
  return "[" + text + "]";
}

/// Writes the scalars that a value needs, each once and before its users.
class NestPrinter {
 public:
  explicit NestPrinter(const LoopProgram& program) : program_(program) {}

  void need(ScalarId id) {
    if (!written_.insert(id).second) return;
    const Scalar& scalar = program_.body[id];
    for (const ScalarId operand : scalar.operands) need(operand);
    scalar.index.forEachAtom([&](const IndexAtom& atom) {
      if (atom.kind == IndexAtom::Kind::kScalar) need(static_cast<ScalarId>(atom.id));
    });
    if (scalar.op == ScalarOp::kReduced) reduction(scalar.reduction);
    text_ += fmt::format("    v{}: {} = {}\n", static_cast<int>(id), elementTypeName(scalar.type),
                         expression(scalar));
  }

  void line(const std::string& text) { text_ += text; }
  std::string take() { return std::move(text_); }

 private:
  void reduction(ReductionId id) {
    const LoopReduction& reduction = program_.reduction(id);
    need(reduction.input);
    text_ += fmt::format("    r{} = {} over the inner loops of v{}\n", static_cast<int>(id),
                         reductionOpName(reduction.op), static_cast<int>(reduction.input));
  }

  std::string expression(const Scalar& scalar) const {
    switch (scalar.op) {
      case ScalarOp::kConstant:
        return isFloating(scalar.type) ? fmt::format("{}", scalar.real)
                                       : fmt::format("{}", scalar.integer);
      case ScalarOp::kLoad:
        return fmt::format("{}[{}]{}", program_.buffer(scalar.buffer).name, scalar.index.text(),
                           operands(scalar, " if "));
      case ScalarOp::kPosition:
        return scalar.index.text();
      case ScalarOp::kReduced:
        return fmt::format("r{}", static_cast<int>(scalar.reduction));
      default:
        return std::string(scalarOpName(scalar.op)) + operands(scalar, " ");
    }
  }

  static std::string operands(const Scalar& scalar, const char* before) {
    std::string text;
    for (const ScalarId id : scalar.operands) {
      text += fmt::format("{}v{}", text.empty() ? before : ", ", static_cast<int>(id));
    }
    return text;
  }

  const LoopProgram& program_;
  std::set<ScalarId> written_;
  std::string text_;
};

}  // namespace

std::string_view reductionOpName(ReductionOp op) {
  constexpr std::array<std::string_view, 6> kNames{"sum", "prod", "max", "min", "any", "all"};
  return kNames[static_cast<size_t>(op)];
}

Index elementCount(const LoopBuffer& buffer) { return productOf(buffer.sizes); }

std::string printNest(const LoopProgram& program, const LoopNest& nest) {
  NestPrinter printer(program);
  printer.line(fmt::format("  for {} x {}\n", sizesText(nest.outer()), sizesText(nest.inner())));
  for (const LoopStore& store : nest.stores) {
    printer.need(store.value);
    printer.line(fmt::format("    {}[{}] = v{}{}\n", program.buffer(store.buffer).name,
                             store.address.text(), static_cast<int>(store.value),
                             store.isInner || !nest.hasReduction() ? "" : "  (outer)"));
  }
  return printer.take();
}

std::string printLoops(const LoopProgram& program) {
  std::string text;
  for (const LoopBuffer& buffer : program.buffers) {
    text += fmt::format("buffer {}: {} {} strides {}\n", buffer.name, elementTypeName(buffer.type),
                        sizesText(buffer.sizes), sizesText(buffer.strides));
  }
  for (const LoopStep& step : program.steps) {
    if (const auto* call = std::get_if<OpaqueCall>(&step)) {
      text += fmt::format("call of node {}: {}\n", call->node, call->reason);
      continue;
    }
    const auto& nest = std::get<LoopNest>(step);
    text += fmt::format("nest {}\n", fmt::join(nest.operators, "_"));
    text += printNest(program, nest);
  }
  return text;
}

}  // namespace jitscope::compiler
