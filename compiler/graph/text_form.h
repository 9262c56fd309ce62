#pragma once

#include <string_view>

/// \file
/// What the writer and the reader of a graph's text form agree on. One line says one thing:
///
///     graph "graph_0_0_0"
///     symbol s0 "L['x'].size()[0]" hint 4 range 2 9223372036854775807
///     value %0 l_x_ float32 "cpu" [s0, 16] [16, 1] 0
///     input %0 "L['x']"
///     node "aten::sum" "dim_IntList" (self = %0, dim = [-1], keepdim = True) -> (%1) at "a.cpp" 7
///     "f" return (%1)
///
/// Constants: `None`, `True`, `2*s0 + 1` (an integer), `0.5`, `complex(0.0, 1.0)`, `"text"`,
/// `[1, s0]`, `reals[0.5]`, `bools[True]`, `tensors[%0, %none]`, `dtype(float32)`,
/// `device("cuda:0")`, `layout("torch.strided")`, `memory_format("torch.preserve_format")`,
/// `opaque(0, "Generator")`.
namespace jitscope::compiler {

/// Whether a name can stand without quotes.
bool isWord(std::string_view name);

}  // namespace jitscope::compiler
