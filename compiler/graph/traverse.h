#pragma once

#include <variant>

#include "compiler/graph.h"

/// \file
/// Visiting the parts of a graph, so that each pass says only what it does with them.
namespace jitscope::compiler {

/// Calls `visit(ValueId)` for every tensor of an argument or a result, absent ones included.
template <class Holder, class Visit>
void forEachValue(const Holder& holder, Visit visit) {
  if (const auto* id = std::get_if<ValueId>(&holder)) visit(*id);
  if (const auto* list = std::get_if<std::vector<ValueId>>(&holder)) {
    for (ValueId id : *list) visit(id);
  }
}

/// Calls `visit(ValueId)` for every tensor that a node reads.
template <class Visit>
void forEachRead(const Node& node, Visit visit) {
  for (const Argument& argument : node.arguments) {
    forEachValue(argument.value, [&](ValueId id) {
      if (id != ValueId::kNone) visit(id);
    });
  }
}

/// Calls `visit(SizeExpression&)` for every integer of an attribute.
template <class SomeAttribute, class Visit>
void forEachExpression(SomeAttribute& attribute, Visit visit) {
  if (auto* single = std::get_if<SizeExpression>(&attribute)) visit(*single);
  if (auto* list = std::get_if<std::vector<SizeExpression>>(&attribute)) {
    for (auto& expression : *list) visit(expression);
  }
}

/// Calls `visit(SizeExpression&)` for sizes, strides and storage offset.
template <class SomeTensorType, class Visit>
void forEachExpressionOfType(SomeTensorType& type, Visit visit) {
  for (auto& size : type.sizes) visit(size);
  for (auto& stride : type.strides) visit(stride);
  visit(type.storageOffset);
}

/// Calls `visit(SizeExpression&)` for every integer of the graph.
template <class SomeGraph, class Visit>
void forEachExpressionOfGraph(SomeGraph& graph, Visit visit) {
  for (auto& value : graph.values) forEachExpressionOfType(value.type, visit);
  for (auto& node : graph.nodes) {
    for (auto& argument : node.arguments) {
      if (auto* attribute = std::get_if<Attribute>(&argument.value)) {
        forEachExpression(*attribute, visit);
      }
    }
  }
}

/// Whether two attributes are the same, doubles by their bits: a NaN equals itself, 0.0 is not
/// -0.0.
bool isSameAttribute(const Attribute& left, const Attribute& right);

}  // namespace jitscope::compiler
