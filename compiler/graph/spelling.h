#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/graph.h"

/// \file
/// How operators are written in Python.
namespace jitscope::compiler {

/// Gives the Python text of an argument's value.
using WriteArgument = std::function<std::string(const Argument&)>;

/// The call as people write it (`x @ w`, `torch.relu(x)`, `x.mean(-1, keepdim = True)`), else
/// `torch.ops.NAMESPACE.NAME.OVERLOAD(…)` with every argument.
std::string spell(const Node& node, const WriteArgument& write);

/// Always `torch.ops.NAMESPACE.NAME.OVERLOAD(…)`.
std::string spellInFull(const Node& node, const WriteArgument& write);

/// What FX calls a result of this operator: "matmul", "truediv", "add_".
std::string_view resultName(const Node& node);

/// A constant as Python writes it.
std::string pythonText(const Attribute& attribute,
                       const std::function<std::string(const SizeExpression&)>& sizeText);

}  // namespace jitscope::compiler
