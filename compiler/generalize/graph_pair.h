#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/generalize/size_context.h"
#include "compiler/graph.h"

namespace jitscope::compiler {

/// An integer that both graphs have at the same place.
struct IntegerPair {
  SizeExpression left, right;
  const SizeContext* context = nullptr;  ///< of merged expressions
  size_t dimension = 0;
  bool isOfResult = false;  ///< the operator made it, else user code gave it
};

/// What is done with the integers of two graphs that are walked side by side.
class PairVisitor {
 public:
  virtual ~PairVisitor() = default;

  /// Sets `merged` to what stands for both. False when nothing does.
  virtual bool merge(const IntegerPair& pair, SizeExpression& merged) = 0;

  /// The text for a place where they differ beyond repair.
  virtual std::string difference(const std::string& what, const std::string& left,
                                 const std::string& right) const = 0;

  /// The integer as it is said in that text.
  virtual std::string leftText(const SizeExpression& size) const = 0;
  virtual std::string rightText(const SizeExpression& size) const = 0;
};

/// Walks two graphs of the same operators side by side. `merged` becomes the left one with every
/// integer as `visitor` merges it. Gives the first place where they differ, with operator, argument
/// and source line; empty when there is none.
std::string walkPair(const Graph& left, const Graph& right, PairVisitor& visitor, Graph& merged);

}  // namespace jitscope::compiler
