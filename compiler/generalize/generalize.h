#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "compiler/graph.h"
#include "trace/result.h"

/// \file
/// Dynamic shapes by comparing two captures: C++ code reads sizes as plain integers, so symbols
/// cannot flow through it; two samples of the same operator stream at different sizes show which
/// integers follow which size.
namespace jitscope::compiler {

/// The symbol values of the call that a graph was captured in, indexed by SymbolId.
using SymbolValues = std::span<const int64_t>;

/// Finds one graph that explains two samples. Both have the same symbols declared; `left` and
/// `right` hold their constants as captured (or expressions, which must agree). Each integer that
/// differs becomes an expression of the symbols that gives both values; the simplest one (a symbol,
/// then a multiple, then a product or quotient, then with an offset) wins. Integers equal in both
/// stay constant. The Error says which operator, argument and source line could not be explained,
/// or where the two operator streams part.
trace::Result<Graph> generalize(const Graph& left, SymbolValues leftValues, const Graph& right,
                                SymbolValues rightValues);

/// A guess from one sample, to be confirmed by a second: every integer of the graph that equals a
/// symbol's value, or a multiple or product that can only come from it, is taken for that symbol.
Graph hypothesize(const Graph& sample, SymbolValues values);

/// Empty when `sample`, captured with `values`, is what `general` predicts for them; else the first
/// place where it is not: operator, argument, expected and actual, source line.
std::string firstDifference(const Graph& general, const Graph& sample, SymbolValues values);

}  // namespace jitscope::compiler
