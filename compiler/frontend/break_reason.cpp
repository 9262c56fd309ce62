#include "compiler/frontend/break_reason.h"

#include <fmt/format.h>

#include <mutex>
#include <set>
#include <utility>

// Readers of traces and logs classify breaks by their types, so that a type never changes; new ones
// are added. `*` stands for the name of an operator.
//
//   type                                              when
//   Unsupported Tensor.item() call with …             item(), conversion to a number
//   Data-dependent branching                          a tensor as condition
//   Data dependent operator                           equal, allclose, …
//   Dynamic shape operator                            nonzero, masked_select, …
//   Operator declared untraceable                     declareUntraceable
//   Call to `jitscope::graphBreak()`                  asked for
//   Call to `jitscope::print()`                       output in order
//   Skip calling `jitscope::disable()`d function      a callable marked by disable
//   Raw access to a tensor's memory                   data_ptr, accessor, storage
//   Unsupported Tensor.*() call                       resize_, set_, out= that resizes
//   Unsupported Tensor.backward() call                backward inside
//   Unsupported change of autograd state              hooks, retain_grad
//   Operator stream diverged                          a learned soft break

namespace jitscope::compiler {
namespace {

constexpr const char* kFundamentalHint =
    "This graph break is fundamental: the value exists only when the graph has run.";

/// `aten::nonzero` as Dynamo writes it: `aten.nonzero.default`.
std::string dottedName(std::string_view name) {
  std::string dotted(name);
  if (const size_t colons = dotted.find("::"); colons != std::string::npos) {
    dotted.replace(colons, 2, ".");
  }
  return dotted + ".default";
}

std::string_view baseName(std::string_view name) {
  const size_t colons = name.rfind("::");
  return colons == std::string_view::npos ? name : name.substr(colons + 2);
}

BreakReason reasonOfItem(std::string_view name) {
  return {"Unsupported Tensor.item() call with capture_scalar_outputs=False",
          "`Tensor.item()` reads a value that the graph computes: the graph ends before it, runs, "
          "and a new one starts after it.",
          "Keep the value in a tensor: write `torch::where(condition, a, b)` instead of branching "
          "on `item()`, and hand scalars on as tensors.\n"
          "If only a log or a statistic needs it, read it after the compiled function returned.",
          "call_method TensorVariable() item () {}", std::string(name)};
}

BreakReason reasonOfBranching(std::string_view name) {
  return {"Data-dependent branching",
          "Detected data-dependent branching (e.g. `if (x.sum() > 0)` on a tensor). Which way it "
          "goes is known only when the graph has run.",
          std::string("Compute both sides and select with `torch::where(condition, a, b)`.\n") +
              kFundamentalHint,
          "attempted to jump with TensorVariable()", std::string(name)};
}

BreakReason reasonOfDynamicShape(std::string_view name) {
  return {
      "Dynamic shape operator",
      fmt::format("Operator `{}`'s output shape depends on input Tensor data.", dottedName(name)),
      "Keep the full shape and mask instead: `torch::where`, or multiply by the mask.\n"
      "If the count has an upper bound, use an operator with a fixed size, such as `topk`.",
      dottedName(name), std::string(name)};
}

BreakReason reasonOfDataDependence(std::string_view name) {
  return {"Data dependent operator",
          fmt::format("Operator `{}` has a non-Tensor output whose value is dependent on the data "
                      "of Tensor inputs.",
                      dottedName(name)),
          "Compare with an operator that gives a tensor (`torch::eq(...).all()`) and select with "
          "`torch::where`, or move the check out of the compiled function.",
          dottedName(name), std::string(name)};
}

BreakReason reasonOfUntraceable(std::string_view name) {
  return {"Operator declared untraceable",
          fmt::format("Operator `{}` was declared untraceable in this process.", dottedName(name)),
          "If the operator depends on nothing but its arguments, remove its "
          "`jitscope::declareUntraceable` line.",
          dottedName(name), std::string(name)};
}

struct Untraceable {
  std::mutex mutex;
  std::set<std::string, std::less<>> names;
};

Untraceable& untraceable() {
  static Untraceable declared;
  return declared;
}

}  // namespace

BreakReason reasonOfOperator(std::string_view name, bool readsData, bool hasDynamicShape) {
  const std::string_view base = baseName(name);
  if (isDeclaredUntraceable(name)) return reasonOfUntraceable(name);
  if (base == "item" || base == "_local_scalar_dense") return reasonOfItem(name);
  if (base == "is_nonzero") return reasonOfBranching(name);
  if (hasDynamicShape) return reasonOfDynamicShape(name);
  if (readsData) return reasonOfDataDependence(name);
  return reasonOfUntraceable(name);
}

BreakReason reasonOfExplicitBreak(std::string_view message) {
  return {"Call to `jitscope::graphBreak()`",
          fmt::format("User-inserted graph break. Message: {}", message.empty() ? "None" : message),
          "Remove the `jitscope::graphBreak()` call.",
          fmt::format("Called `jitscope::graphBreak()` with message `{}`", message), ""};
}

BreakReason reasonOfPrint() {
  return {
      "Call to `jitscope::print()`",
      "Output has to appear when the program reaches it, so everything before it must have run.",
      "Print after the compiled function returned, or remove the `jitscope::print()` call.",
      "Called `jitscope::print()`", ""};
}

BreakReason reasonOfDisabledCallable(std::string_view name) {
  return {"Skip calling `jitscope::disable()`d function",
          fmt::format("Skip calling function `{}` since it was wrapped with `jitscope::disable`.",
                      name),
          "Remove the `jitscope::disable` call.", std::string(name), ""};
}

BreakReason reasonOfRawAccess() {
  return {"Raw access to a tensor's memory",
          "`data_ptr()`, an accessor or the storage of a tensor was taken: its memory can be read "
          "and written where no operator shows it, so it has to be filled by then.",
          "Use tensor operators on the value, or put the code that needs the pointer into a custom "
          "operator (TORCH_LIBRARY), which stays inside the graph.",
          "Accessed the storage of a tensor", ""};
}

BreakReason reasonOfMetadataMutation(std::string_view name) {
  return {fmt::format("Unsupported Tensor.{}() call", baseName(name)),
          fmt::format("`{}` changes the size or the storage of a tensor that already exists.",
                      baseName(name)),
          "Make a new tensor of the wanted size (`torch::empty`, `expand`, `narrow`) instead of "
          "changing one; give `out=` tensors their final size.",
          fmt::format("call_method TensorVariable() {} (...) {{}}", baseName(name)),
          std::string(name)};
}

BreakReason reasonOfAutogradState(std::string_view what) {
  if (what == "backward") {
    return {"Unsupported Tensor.backward() call",
            "`backward()` inside of a compiled function accumulates gradients into tensors that "
            "the graph does not return.",
            "Return the loss and call `backward()` outside of the compiled function.",
            "call_method TensorVariable() backward () {}", ""};
  }
  return {"Unsupported change of autograd state",
          fmt::format("`{}` changes how gradients flow through a tensor that the graph computes.",
                      what),
          "Do it outside of the compiled function, on its inputs or results.", std::string(what),
          ""};
}

BreakReason reasonOfDivergence(std::string_view text) {
  return {"Operator stream diverged",
          fmt::format("The function ran other operators than when it was captured: {}.", text),
          "Something that no guard sees steers the function: make it an argument, capture it as "
          "`jitscope::Guarded<T>`, or select with `torch::where`.",
          std::string(text), ""};
}

void declareUntraceable(std::string name) {
  Untraceable& declared = untraceable();
  const std::lock_guard lock(declared.mutex);
  declared.names.insert(std::move(name));
}

bool isDeclaredUntraceable(std::string_view name) {
  Untraceable& declared = untraceable();
  const std::lock_guard lock(declared.mutex);
  return declared.names.contains(name);
}

}  // namespace jitscope::compiler
