#pragma once

#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trace/result.h"

/// \file
/// A captured graph: operators with named inputs, attributes, sizes and dtypes. Plain data, free of
/// LibTorch, so that it can be printed, parsed, compared and transformed without it.
namespace jitscope::compiler {

/// A tensor of one graph.
enum class ValueId : int32_t { kNone = -1 };
/// A size that is not known when the graph is compiled.
enum class SymbolId : int32_t {};

/// An integer as a function of the graph's symbols: `numerator * product(symbols) / denominator +
/// offset`, exact division. Without symbols it is the constant `offset` (numerator 0, denominator
/// 1).
struct SizeExpression {
  int64_t numerator = 0;
  int64_t denominator = 1;
  int64_t offset = 0;
  std::vector<SymbolId> symbols;  ///< sorted; a symbol may repeat

  static SizeExpression constant(int64_t value) { return {0, 1, value, {}}; }
  static SizeExpression symbol(SymbolId id) { return {1, 1, 0, {id}}; }

  bool isConstant() const { return symbols.empty(); }

  /// The integer for the given symbol values, indexed by SymbolId.
  int64_t evaluate(std::span<const int64_t> symbolValues) const;

  /// Whether the division leaves no rest for these values: when it does, the expression says
  /// nothing about them.
  bool isExact(std::span<const int64_t> symbolValues) const;

  /// In the form `4`, `s0`, `2*s0*s1/3 + 1`.
  std::string text() const;
  /// The same with the graph's own names of symbols.
  std::string textWith(const std::function<std::string(SymbolId)>& symbolName) const;

  bool operator==(const SizeExpression&) const = default;
};

/// Element type; the numbers are those of c10::ScalarType.
enum class DataType : int8_t {};
/// "float32", "int64", … as in torch.
std::string_view dataTypeName(DataType type);
/// "f32", "i64", "b8", … as in FX annotations.
std::string_view dataTypeShortName(DataType type);

/// A device; the numbers of `kind` are those of c10::DeviceType.
struct DeviceName {
  int8_t kind = 0;
  int8_t index = -1;

  std::string text() const;  ///< "cpu", "cuda:0"
  bool operator==(const DeviceName&) const = default;
};

/// Metadata of a tensor value.
struct TensorType {
  DataType dataType{};
  DeviceName device{};
  std::vector<SizeExpression> sizes, strides;
  SizeExpression storageOffset;
  bool requiresGrad = false;

  bool operator==(const TensorType&) const = default;
};

/// A tensor, where it is defined: by an input or by a node's result.
struct Value {
  std::string name;  ///< unique within the graph, a Python identifier: "matmul", "l_x_"
  TensorType type;
};

/// A layout, as an attribute that is neither number nor text.
struct LayoutName {
  std::string text;  ///< "torch.strided"
  bool operator==(const LayoutName&) const = default;
};
/// A memory format, likewise.
struct MemoryFormatName {
  std::string text;  ///< "torch.contiguous_format"
  bool operator==(const MemoryFormatName&) const = default;
};
/// An argument that only the process that captured it knows (a generator, a stream): by position in
/// a table beside the graph.
struct OpaqueConstant {
  int32_t index = 0;
  std::string text;
  bool operator==(const OpaqueConstant&) const = default;
};

/// A constant argument. Integers are expressions, so that sizes stay visible. monostate is None.
using Attribute =
    std::variant<std::monostate, bool, SizeExpression, double, std::complex<double>, std::string,
                 std::vector<SizeExpression>, std::vector<double>, std::vector<bool>, DataType,
                 DeviceName, LayoutName, MemoryFormatName, OpaqueConstant>;

/// An argument of a node by the name that it has in the operator's schema. A list of tensors may
/// hold ValueId::kNone (an absent optional tensor); so may a single ValueId.
struct Argument {
  std::string name;
  std::variant<ValueId, std::vector<ValueId>, Attribute> value;

  bool operator==(const Argument&) const = default;
};

/// A result of a node: a tensor or a list of tensors. An operator that returns its input (in-place)
/// gives the ValueId of that input.
using NodeResult = std::variant<ValueId, std::vector<ValueId>>;

/// A line of the user's program.
struct SourceLine {
  std::string file;
  int64_t line = 0;
  std::string function;

  bool operator==(const SourceLine&) const = default;
};

/// One call of an operator. `jitscope::set_grad_enabled`, `jitscope::set_inference_mode` and
/// `jitscope::set_autocast` stand for changes of the mode that user code made between operators;
/// they have one bool (autocast: device kind, bool, dtype) and no result.
struct Node {
  std::string op;        ///< "aten::matmul"
  std::string overload;  ///< "" or "Tensor", as in the schema
  std::vector<Argument> arguments;
  std::vector<NodeResult> results;
  SourceLine source;  ///< empty file when not known
};

/// A symbol of a graph.
struct GraphSymbol {
  std::string name;    ///< "s0"
  std::string source;  ///< "L['x'].size()[0]"
  int64_t hint = 0;    ///< its value when the graph was captured
  int64_t minimum = 2;
  int64_t maximum = std::numeric_limits<int64_t>::max();
  std::vector<std::string> equalSources;  ///< sources of sizes that equal it in each call
};

/// A tensor that comes from outside, in the order in which the compiled graph takes them.
struct GraphInput {
  ValueId value = ValueId::kNone;
  std::string source;  ///< "L['x']"
};

/// One segment of a frame.
struct Graph {
  std::string name;                  ///< "graph_0_1_2": frame, attempt, segment
  std::vector<GraphSymbol> symbols;  ///< indexed by SymbolId
  std::vector<Value> values;         ///< indexed by ValueId
  std::vector<GraphInput> inputs;
  std::vector<Node> nodes;
  std::vector<ValueId> outputs;

  const Value& value(ValueId id) const { return values[static_cast<size_t>(id)]; }
  /// Nodes as Dynamo counts them: every node.
  size_t opCount() const { return nodes.size(); }
};

/// The graph as FX prints it:
///
///     def forward(self, L_x_ : Tensor, L_w_ : Tensor):
///         l_x_ = L_x_
///         l_w_ = L_w_
///         matmul = l_x_ @ l_w_;  l_x_ = l_w_ = None
///         silu = torch.nn.functional.silu(matmul);  matmul = None
///         return (silu,)
std::string printPython(const Graph& graph);

/// The same with the types of values and the places in the user's program, as FX prints it for
/// people: `matmul: "f32[4, 16][16, 1]cpu" = l_x_ @ l_w_;  l_x_ = l_w_ = None`.
std::string printReadable(const Graph& graph);

/// Gives every value the name that FX would give it: inputs by their source, results by their
/// operator, with `_1`, `_2` where a name is taken.
void nameValues(Graph& graph);

/// The graph in a form that `parseGraph` reads back without loss.
std::string printGraph(const Graph& graph);

/// Reads what `printGraph` wrote. Errors name line and what was expected.
trace::Result<Graph> parseGraph(std::string_view text);

/// Whether two graphs compute the same: equal up to names of values, the graph's name and sources.
bool isSameComputation(const Graph& left, const Graph& right);

/// Why a graph is malformed (undefined value, value defined twice, bad symbol); an empty Result
/// when it is well-formed. Runs in linear time.
trace::Result<void> verify(const Graph& graph);

/// Whether every size of the graph divides without rest for these symbol values: if not, the graph
/// is none for them.
bool hasExactSizes(const Graph& graph, std::span<const int64_t> symbolValues);

/// The Python identifier of an input with this source, as Dynamo names it: `L['x'][0]` → `L_x_0_`.
std::string inputName(std::string_view source);

}  // namespace jitscope::compiler
