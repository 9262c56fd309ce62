#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/graph.h"
#include "compiler/loops/index.h"

namespace jitscope::compiler {

/// A number as an argument of an operator.
struct NumberArgument {
  enum class Kind : uint8_t { kBool, kInteger, kReal };
  Kind kind = Kind::kInteger;
  Index integer;    ///< kBool, kInteger; may hold symbols
  double real = 0;  ///< kReal
};

/// The arguments of one node by name. What is missing has the default that the caller names; what
/// has another kind than asked for makes `isUnderstood` false.
class NodeArguments {
 public:
  explicit NodeArguments(const Node& node) : node_(node) {}

  const Node& node() const { return node_; }
  /// Whether every argument asked for so far was of the kind asked for.
  bool isUnderstood() const { return isUnderstood_; }

  bool has(std::string_view name) const;  ///< and is not None
  ValueId tensor(std::string_view name);  ///< kNone when absent or a number
  std::vector<ValueId> tensors(std::string_view name);
  std::optional<NumberArgument> number(std::string_view name);
  double real(std::string_view name, double otherwise);
  int64_t integer(std::string_view name, int64_t otherwise);
  std::optional<Index> index(std::string_view name);
  bool boolean(std::string_view name, bool otherwise);
  std::string_view text(std::string_view name, std::string_view otherwise);
  std::optional<DataType> dataType(std::string_view name);
  /// Dimensions as a list, also when there is only one; none when absent.
  std::optional<std::vector<int64_t>> integers(std::string_view name);

 private:
  const Argument* find(std::string_view name) const;
  const Attribute* attribute(std::string_view name) const;

  const Node& node_;
  bool isUnderstood_ = true;
};

}  // namespace jitscope::compiler
