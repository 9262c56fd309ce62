#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "compiler/generalize/size_context.h"
#include "compiler/graph.h"

namespace jitscope::compiler {

/// Finds expressions of the symbols that give one integer in each of two samples.
class SizeSearch {
 public:
  SizeSearch(std::span<const int64_t> leftValues, std::span<const int64_t> rightValues);

  /// Where an integer stands decides which symbols it may follow.
  struct Place {
    const SizeContext* context = nullptr;
    size_t dimension = 0;
    bool followsContextOnly = false;  ///< a result's size: made from what the operator reads
  };

  /// The expression for an integer that was `left` and `right`, which differ. Of several the
  /// simplest, in this order:
  ///   one that the context has, at the same dimension first
  ///   a symbol · a product with symbols that stood still · a multiple · a product · a quotient
  ///   any of these with an offset, slope 1 first
  /// and among equals the smallest numbers, then the first symbols. Absent when there is none.
  std::optional<SizeExpression> explain(int64_t left, int64_t right, const Place& place) const;

 private:
  /// A product of symbols and its value in each sample.
  struct Monomial {
    std::vector<SymbolId> symbols;
    int64_t left = 1, right = 1;
    bool hasStill = false;  ///< a symbol in it has the same value in both
  };

  void addMonomials(const Monomial& prefix, size_t firstSymbol, size_t depth);
  std::optional<SizeExpression> proportional(const Monomial&, int64_t left, int64_t right) const;
  std::optional<SizeExpression> withOffset(const Monomial&, int64_t left, int64_t right) const;

  std::span<const int64_t> leftValues_, rightValues_;
  std::vector<Monomial> monomials_;
};

}  // namespace jitscope::compiler
