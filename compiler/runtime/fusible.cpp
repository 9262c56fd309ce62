#include "compiler/runtime/fusible.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include <algorithm>

namespace jitscope::compiler {
namespace {

/// Whether the operator changes one of its arguments, as its schema tells or is known to hide.
bool writes(const Node& node) {
  const auto op = c10::Dispatcher::singleton().findSchema({node.op, node.overload});
  if (!op) return true;
  for (const c10::Argument& argument : op->schema().arguments()) {
    if (argument.alias_info() && argument.alias_info()->isWrite()) return true;
  }
  // The running statistics of a batch norm in training are written without a word in the schema.
  const bool isBatchNorm = node.op.find("batch_norm") != std::string::npos;
  return isBatchNorm &&
         std::any_of(node.arguments.begin(), node.arguments.end(), [](const Argument& argument) {
           const auto* value = std::get_if<Attribute>(&argument.value);
           return argument.name == "training" && value && *value == Attribute(true);
         });
}

}  // namespace

std::string reasonAgainstFusion(const Graph& graph) {
  for (const Value& value : graph.values) {
    if (value.type.requiresGrad) return value.name + " requires a gradient";
    const int8_t kind = value.type.device.kind;
    if (kind != 0 && kind != 1) return value.name + " is neither on a processor nor on a GPU";
  }
  if (at::autocast::is_autocast_enabled(at::kCPU) || at::autocast::is_autocast_enabled(at::kCUDA)) {
    return "autocast is on";
  }
  for (const Node& node : graph.nodes) {
    if (node.op == "jitscope::set_grad_enabled") continue;  // without gradients it means nothing
    if (node.op.starts_with("jitscope::")) return node.op + " changes a mode";
    if (writes(node)) return node.op + " writes to its arguments";
  }
  return "";
}

bool drawsNumbers(const Graph& graph) {
  return std::any_of(graph.nodes.begin(), graph.nodes.end(), [](const Node& node) {
    const auto op = c10::Dispatcher::singleton().findOp({node.op, node.overload});
    return op && op->hasSchema() && op->hasTag(at::Tag::nondeterministic_seeded);
  });
}

}  // namespace jitscope::compiler
