#include <memory>
#include <utility>
#include <vector>

#include "compiler/aot.h"
#include "compiler/aot/pieces.h"
#include "compiler/aot/specialized_graph.h"

namespace jitscope::compiler {
namespace {

/// The pieces of a captured graph, one after the other.
class PiecewiseGraph {
 public:
  PiecewiseGraph(const Graph& graph, std::vector<GraphPiece> pieces, const Backend& inner)
      : valueCount_(graph.values.size()) {
    for (const GraphInput& input : graph.inputs) inputs_.push_back(input.value);
    outputs_ = graph.outputs;
    for (GraphPiece& piece : pieces) {
      steps_.push_back({std::make_unique<SpecializedGraph>(std::move(piece.graph), inner),
                        std::move(piece.inputs), std::move(piece.outputs)});
    }
  }

  /// Only the first piece takes what is there before a call.
  void prepare(std::span<const at::Tensor> examples) {
    std::vector<at::Tensor> values = valuesOf(examples);
    if (!steps_.empty()) steps_.front().call->prepare(taken(steps_.front(), values));
  }

  std::vector<at::Tensor> run(std::span<const at::Tensor> inputs,
                              std::span<const int64_t> symbols) const {
    std::vector<at::Tensor> values = valuesOf(inputs);
    for (const Step& step : steps_) {
      auto made = step.call->run(taken(step, values), symbols);
      for (size_t i = 0; i < made.size(); ++i) {
        values[static_cast<size_t>(step.outputs[i])] = std::move(made[i]);
      }
    }
    std::vector<at::Tensor> outputs;
    for (const ValueId id : outputs_) outputs.push_back(values[static_cast<size_t>(id)]);
    return outputs;
  }

 private:
  struct Step {
    std::unique_ptr<SpecializedGraph> call;
    std::vector<ValueId> inputs, outputs;
  };

  std::vector<at::Tensor> valuesOf(std::span<const at::Tensor> inputs) const {
    std::vector<at::Tensor> values(valueCount_);
    for (size_t i = 0; i < inputs.size(); ++i) values[static_cast<size_t>(inputs_[i])] = inputs[i];
    return values;
  }

  static std::vector<at::Tensor> taken(const Step& step, const std::vector<at::Tensor>& values) {
    std::vector<at::Tensor> tensors;
    for (const ValueId id : step.inputs) tensors.push_back(values[static_cast<size_t>(id)]);
    return tensors;
  }

  size_t valueCount_;
  std::vector<ValueId> inputs_, outputs_;
  std::vector<Step> steps_;
};

template <class Compiled>
CompiledGraph prepared(std::shared_ptr<Compiled> compiled, std::span<const at::Tensor> examples) {
  compiled->prepare(examples);
  return [compiled = std::move(compiled)](std::span<const at::Tensor> inputs,
                                          std::span<const int64_t> symbols) {
    return compiled->run(inputs, symbols);
  };
}

}  // namespace

Backend aheadOfTime(Backend inner) {
  return [inner = std::move(inner)](const Graph& graph, std::span<const at::Tensor> examples) {
    if (auto pieces = piecesOf(graph); pieces.size() > 1) {
      return prepared(std::make_shared<PiecewiseGraph>(graph, std::move(pieces), inner), examples);
    }
    return prepared(std::make_shared<SpecializedGraph>(graph, inner), examples);
  };
}

}  // namespace jitscope::compiler
