#include <array>
#include <stdexcept>
#include <string_view>

#include "compiler/aot.h"
#include "compiler/backend.h"
#include "compiler/runtime/fused_backend.h"
#include "compiler/runtime/fusible.h"

namespace jitscope::compiler {
namespace {

struct NamedBackend {
  std::string_view name;
  Backend (*make)();
};

CompiledGraph runEagerly(const Graph& graph, std::span<const at::Tensor>) {
  return interpret(graph);
}

/// What is functional already keeps its changing sizes; the rest is made so first. So is what draws
/// random numbers, which are drawn again when kernels fail.
CompiledGraph fuse(const Graph& graph, std::span<const at::Tensor> examples) {
  static const Backend& kAheadOfTime = *new Backend(aheadOfTime(&compileFused));
  const bool isPlain = reasonAgainstFusion(graph).empty() && !drawsNumbers(graph);
  return isPlain ? compileFused(graph, examples) : kAheadOfTime(graph, examples);
}

constexpr std::array kBackends{
    NamedBackend{"eager", [] { return Backend(&runEagerly); }},
    NamedBackend{"aot_eager", [] { return aheadOfTime(&runEagerly); }},
    NamedBackend{"fused", [] { return Backend(&fuse); }},
};

}  // namespace

Backend backendByName(const std::string& name) {
  std::string known;
  for (const NamedBackend& backend : kBackends) {
    if (backend.name == name) return backend.make();
    known += (known.empty() ? "" : ", ") + std::string(backend.name);
  }
  throw std::invalid_argument("no backend is named \"" + name + "\"; there are: " + known);
}

}  // namespace jitscope::compiler
