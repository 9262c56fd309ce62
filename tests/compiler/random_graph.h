#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "compiler/graph.h"

namespace jitscope::compiler {

/// Well-formed graphs that use every kind of argument, result and name, for tests of their text.
class RandomGraph {
 public:
  explicit RandomGraph(uint64_t seed) : random_(seed) {}

  Graph make() {
    graph_ = {};
    graph_.name = text();
    for (size_t i = pick(3); i > 0; --i) {
      graph_.symbols.push_back({"s" + std::to_string(graph_.symbols.size()),
                                text(),
                                anyInteger(),
                                0,
                                std::numeric_limits<int64_t>::max(),
                                {}});
      for (size_t also = pick(3); also > 0; --also) {
        graph_.symbols.back().equalSources.push_back(text());
      }
    }
    for (size_t i = pick(4); i > 0; --i) graph_.inputs.push_back({newValue(), text()});
    for (size_t i = pick(12); i > 0; --i) addNode();
    for (size_t i = 0; i < graph_.values.size(); ++i) {
      if (pick(2) == 0) graph_.outputs.push_back(ValueId{static_cast<int32_t>(i)});
    }
    return graph_;
  }

 private:
  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }

  std::string text() {
    static const std::vector<std::string> kTexts{
        "",      "aten::add", "L['x'].size()[0]", "a \"b\" \\ c", "line\nline\ttab", "\x01\x7f\xff",
        "größe", "%none",     "(x = [1])"};
    return kTexts[pick(kTexts.size())];
  }

  int64_t anyInteger() {
    switch (pick(4)) {
      case 0:
        return std::numeric_limits<int64_t>::min() + static_cast<int64_t>(pick(2));
      case 1:
        return std::numeric_limits<int64_t>::max();
      default:
        return static_cast<int64_t>(pick(40)) - 20;
    }
  }

  double anyReal() {
    switch (pick(5)) {
      case 0:
        return std::bit_cast<double>(random_());
      case 1:
        return std::numeric_limits<double>::infinity();
      case 2:
        return -0.0;
      case 3:
        return static_cast<double>(pick(10));
      default:
        return 1e-5;
    }
  }

  SizeExpression size() {
    if (graph_.symbols.empty() || pick(2) == 0) return SizeExpression::constant(anyInteger());
    SizeExpression expression{anyInteger(), 1 + static_cast<int64_t>(pick(3)), anyInteger(), {}};
    if (pick(2) == 0) expression.numerator = pick(2) == 0 ? 1 : -1;
    for (size_t i = 1 + pick(3); i > 0; --i) {
      expression.symbols.push_back(SymbolId{static_cast<int32_t>(pick(graph_.symbols.size()))});
    }
    std::sort(expression.symbols.begin(), expression.symbols.end());
    return expression;
  }

  std::vector<SizeExpression> sizes(size_t count) {
    std::vector<SizeExpression> list;
    while (list.size() < count) list.push_back(size());
    return list;
  }

  DataType dataType() { return static_cast<DataType>(static_cast<int64_t>(pick(60)) - 5); }
  DeviceName device() {
    return {static_cast<int8_t>(static_cast<int64_t>(pick(30)) - 3),
            static_cast<int8_t>(static_cast<int64_t>(pick(4)) - 1)};
  }

  ValueId newValue() {
    const size_t rank = pick(4);
    Value value{"v" + std::to_string(graph_.values.size()),
                {dataType(), device(), sizes(rank), sizes(rank), size(), pick(2) == 0}};
    graph_.values.push_back(std::move(value));
    return ValueId{static_cast<int32_t>(graph_.values.size()) - 1};
  }

  ValueId oldValue() {
    if (graph_.values.empty() || pick(6) == 0) return ValueId::kNone;
    return ValueId{static_cast<int32_t>(pick(graph_.values.size()))};
  }

  Attribute attribute() {
    switch (pick(14)) {
      case 0:
        return std::monostate{};
      case 1:
        return pick(2) == 0;
      case 2:
        return size();
      case 3:
        return anyReal();
      case 4:
        return std::complex<double>(anyReal(), anyReal());
      case 5:
        return text();
      case 6:
        return sizes(pick(4));
      case 7: {
        std::vector<double> list(pick(4));
        for (double& value : list) value = anyReal();
        return list;
      }
      case 8: {
        std::vector<bool> list(pick(4));
        for (size_t i = 0; i < list.size(); ++i) list[i] = pick(2) == 0;
        return list;
      }
      case 9:
        return dataType();
      case 10:
        return device();
      case 11:
        return LayoutName{text()};
      case 12:
        return MemoryFormatName{text()};
      default:
        return OpaqueConstant{static_cast<int32_t>(pick(9)) - 4, text()};
    }
  }

  void addNode() {
    Node node;
    node.op = pick(3) == 0 ? "my \"odd\"::op" : "aten::mul_";
    node.overload = text();
    std::vector<ValueId> read;
    for (size_t i = pick(4); i > 0; --i) {
      Argument argument{pick(4) == 0 ? text() : "self", {}};
      if (pick(3) == 0) {
        argument.value = attribute();
      } else if (pick(2) == 0) {
        read.push_back(oldValue());
        argument.value = read.back();
      } else {
        std::vector<ValueId> list(pick(3));
        for (ValueId& id : list) id = oldValue();
        read.insert(read.end(), list.begin(), list.end());
        argument.value = list;
      }
      node.arguments.push_back(std::move(argument));
    }
    const auto result = [&] {
      if (!read.empty() && pick(3) == 0) return read[pick(read.size())];
      return pick(6) == 0 ? ValueId::kNone : newValue();
    };
    for (size_t i = pick(3); i > 0; --i) {
      if (pick(3) == 0) {
        std::vector<ValueId> list(pick(3));
        for (ValueId& id : list) id = result();
        node.results.emplace_back(std::move(list));
      } else {
        node.results.emplace_back(result());
      }
    }
    if (pick(2) == 0) node.source = {text(), anyInteger(), text()};
    graph_.nodes.push_back(std::move(node));
  }

  std::mt19937_64 random_;
  Graph graph_;
};

}  // namespace jitscope::compiler
