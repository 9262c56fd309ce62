#include <array>
#include <stdexcept>
#include <string_view>

#include "compiler/backend.h"
#include "compiler/runtime/fused_backend.h"

namespace jitscope::compiler {
namespace {

struct NamedBackend {
  std::string_view name;
  CompiledGraph (*compile)(const Graph&, std::span<const at::Tensor>);
};

constexpr std::array kBackends{
    NamedBackend{"eager",
                 [](const Graph& graph, std::span<const at::Tensor>) { return interpret(graph); }},
    NamedBackend{"fused", compileFused},
};

}  // namespace

Backend backendByName(const std::string& name) {
  std::string known;
  for (const NamedBackend& backend : kBackends) {
    if (backend.name == name) return backend.compile;
    known += (known.empty() ? "" : ", ") + std::string(backend.name);
  }
  throw std::invalid_argument("no backend is named \"" + name + "\"; there are: " + known);
}

}  // namespace jitscope::compiler
