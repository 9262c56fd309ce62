#pragma once

#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/ivalue.h>

#include <map>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// Runs operators eagerly and writes down what it ran: a graph and, beside it, the right results.
class TracedGraph {
 public:
  using Value = std::variant<ValueId, std::vector<ValueId>, double, int64_t, bool,
                             std::vector<int64_t>, std::string, at::ScalarType>;
  using Arguments = std::vector<std::pair<std::string, Value>>;

  ValueId input(const at::Tensor& tensor) {
    const ValueId id = record(tensor);
    graph_.inputs.push_back({id, "L['x" + std::to_string(graph_.inputs.size()) + "']"});
    inputs_.push_back(tensor);
    return id;
  }

  /// Runs "add", "Tensor"; the ids of its results.
  std::vector<ValueId> callAll(const std::string& op, const std::string& overload,
                               const Arguments& arguments) {
    const auto handle =
        c10::Dispatcher::singleton().findSchemaOrThrow(("aten::" + op).c_str(), overload.c_str());
    std::vector<c10::IValue> stack;
    Node node;
    node.op = "aten::" + op;
    node.overload = overload;
    for (const c10::Argument& parameter : handle.schema().arguments()) {
      const Value* given = nullptr;
      for (const auto& [name, value] : arguments) {
        if (name == parameter.name()) given = &value;
      }
      stack.push_back(given ? valueOf(*given) : *parameter.default_value());
      if (given) node.arguments.push_back({parameter.name(), argumentOf(*given)});
    }
    handle.callBoxed(stack);
    std::vector<ValueId> ids;
    for (const c10::IValue& result : stack) {
      if (result.isTensor()) {
        ids.push_back(record(result.toTensor()));
        node.results.emplace_back(ids.back());
        continue;
      }
      std::vector<ValueId> list;
      for (const at::Tensor& tensor : result.toTensorVector()) list.push_back(record(tensor));
      ids.insert(ids.end(), list.begin(), list.end());
      node.results.emplace_back(std::move(list));
    }
    graph_.nodes.push_back(std::move(node));
    return ids;
  }
  ValueId call(const std::string& op, const std::string& overload, const Arguments& arguments) {
    return callAll(op, overload, arguments).front();
  }

  ValueId graphInput(size_t position) const { return graph_.inputs[position].value; }
  void output(ValueId id) { graph_.outputs.push_back(id); }

  const at::Tensor& tensor(ValueId id) const { return tensors_[static_cast<size_t>(id)]; }
  const std::vector<at::Tensor>& inputs() const { return inputs_; }
  std::vector<at::Tensor> results() const {
    std::vector<at::Tensor> list;
    for (const ValueId id : graph_.outputs) list.push_back(tensor(id));
    return list;
  }
  Graph graph() const {
    Graph named = graph_;
    nameValues(named);
    return named;
  }

 private:
  static SizeExpression constant(int64_t value) { return SizeExpression::constant(value); }

  ValueId record(const at::Tensor& tensor) {
    const auto known = ids_.find(tensor.unsafeGetTensorImpl());
    if (known != ids_.end()) return known->second;
    TensorType type;
    type.dataType = static_cast<DataType>(tensor.scalar_type());
    type.device = {static_cast<int8_t>(tensor.device().type()), tensor.device().index()};
    for (const int64_t size : tensor.sizes()) type.sizes.push_back(constant(size));
    for (const int64_t stride : tensor.strides()) type.strides.push_back(constant(stride));
    type.storageOffset = constant(tensor.storage_offset());
    const auto id = static_cast<ValueId>(graph_.values.size());
    graph_.values.push_back({"", std::move(type)});
    tensors_.push_back(tensor);  // kept, so that no other tensor takes its address
    ids_[tensor.unsafeGetTensorImpl()] = id;
    return id;
  }

  c10::IValue valueOf(const Value& value) const {
    if (const auto* id = std::get_if<ValueId>(&value)) return tensor(*id);
    if (const auto* ids = std::get_if<std::vector<ValueId>>(&value)) {
      std::vector<at::Tensor> list;
      for (const ValueId id : *ids) list.push_back(tensor(id));
      return list;
    }
    if (const auto* type = std::get_if<at::ScalarType>(&value)) return static_cast<int64_t>(*type);
    if (const auto* real = std::get_if<double>(&value)) return *real;
    if (const auto* integer = std::get_if<int64_t>(&value)) return *integer;
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return std::get<std::vector<int64_t>>(value);
  }

  static std::variant<ValueId, std::vector<ValueId>, Attribute> argumentOf(const Value& value) {
    if (const auto* id = std::get_if<ValueId>(&value)) return *id;
    if (const auto* ids = std::get_if<std::vector<ValueId>>(&value)) return *ids;
    if (const auto* type = std::get_if<at::ScalarType>(&value)) {
      return Attribute(static_cast<DataType>(*type));
    }
    if (const auto* real = std::get_if<double>(&value)) return Attribute(*real);
    if (const auto* integer = std::get_if<int64_t>(&value)) return Attribute(constant(*integer));
    if (const auto* flag = std::get_if<bool>(&value)) return Attribute(*flag);
    if (const auto* text = std::get_if<std::string>(&value)) return Attribute(*text);
    std::vector<SizeExpression> sizes;
    for (const int64_t size : std::get<std::vector<int64_t>>(value))
      sizes.push_back(constant(size));
    return Attribute(std::move(sizes));
  }

  Graph graph_;
  std::vector<at::Tensor> tensors_, inputs_;
  std::map<c10::TensorImpl*, ValueId> ids_;
};

}  // namespace jitscope::compiler
