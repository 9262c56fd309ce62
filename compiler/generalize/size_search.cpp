#include "compiler/generalize/size_search.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <tuple>

namespace jitscope::compiler {
namespace {

constexpr size_t kMostFactors = 3;
constexpr size_t kMostSymbols = 12;       // beyond it, products of two
constexpr int64_t kMostSlopeDivisor = 4;  // with an offset any two points lie on some line

/// `value * factor / divisor`, if that is an integer that fits.
std::optional<int64_t> scaled(int64_t value, int64_t factor, int64_t divisor) {
  int64_t result = 0;
  if (__builtin_mul_overflow(value, factor, &result) || result % divisor != 0) return std::nullopt;
  return result / divisor;
}

/// Smaller is simpler.
using Cost = std::tuple<bool, int, bool, int64_t, int64_t, std::vector<SymbolId>>;

int64_t magnitude(int64_t value) {
  return value == std::numeric_limits<int64_t>::min() ? std::numeric_limits<int64_t>::max()
                                                      : std::abs(value);
}

/// The rank of an expression's form, in the order that the header lists.
int formOf(const SizeExpression& size, bool hasStill) {
  const bool isPlain = size.numerator == 1 && size.denominator == 1;
  const bool isSingle = size.symbols.size() == 1;
  if (size.offset != 0) {
    if (isPlain && isSingle) return 5;
    return size.denominator == 1 ? 6 : 7;
  }
  if (isPlain && isSingle) return 0;
  if (isPlain && hasStill) return 1;
  if (isSingle && size.denominator == 1) return 2;
  return isPlain ? 3 : 4;
}

}  // namespace

SizeSearch::SizeSearch(std::span<const int64_t> leftValues, std::span<const int64_t> rightValues)
    : leftValues_(leftValues), rightValues_(rightValues) {
  addMonomials({}, 0, leftValues.size() > kMostSymbols ? 2 : kMostFactors);
}

void SizeSearch::addMonomials(const Monomial& prefix, size_t firstSymbol, size_t depth) {
  for (size_t i = firstSymbol; depth > 0 && i < leftValues_.size(); ++i) {
    Monomial monomial = prefix;
    monomial.symbols.push_back(SymbolId{static_cast<int32_t>(i)});
    monomial.hasStill |= leftValues_[i] == rightValues_[i];
    if (__builtin_mul_overflow(prefix.left, leftValues_[i], &monomial.left) ||
        __builtin_mul_overflow(prefix.right, rightValues_[i], &monomial.right)) {
      continue;
    }
    addMonomials(monomial, i, depth - 1);
    // What stood still cannot explain what moved.
    if (monomial.left != monomial.right) monomials_.push_back(std::move(monomial));
  }
}

std::optional<SizeExpression> SizeSearch::proportional(const Monomial& monomial, int64_t left,
                                                       int64_t right) const {
  if (monomial.left == 0 || left == 0) return std::nullopt;
  const int64_t divisor = std::gcd(left, monomial.left);
  SizeExpression size{left / divisor, monomial.left / divisor, 0, monomial.symbols};
  if (size.denominator < 0) return std::nullopt;
  if (scaled(monomial.right, size.numerator, size.denominator) != right) return std::nullopt;
  return size;
}

std::optional<SizeExpression> SizeSearch::withOffset(const Monomial& monomial, int64_t left,
                                                     int64_t right) const {
  int64_t rise = 0, run = 0;
  if (__builtin_sub_overflow(right, left, &rise) ||
      __builtin_sub_overflow(monomial.right, monomial.left, &run)) {
    return std::nullopt;
  }
  if (run < 0) rise = -rise, run = -run;
  const int64_t divisor = std::gcd(rise, run);
  SizeExpression size{rise / divisor, run / divisor, 0, monomial.symbols};
  const bool isPlausible =
      size.denominator == 1 || (size.numerator == 1 && size.denominator <= kMostSlopeDivisor);
  if (!isPlausible) return std::nullopt;
  const auto atLeft = scaled(monomial.left, size.numerator, size.denominator);
  const auto atRight = scaled(monomial.right, size.numerator, size.denominator);
  if (!atLeft || !atRight || __builtin_sub_overflow(left, *atLeft, &size.offset)) {
    return std::nullopt;
  }
  return size.offset == 0 ? std::nullopt : std::optional(size);
}

std::optional<SizeExpression> SizeSearch::explain(int64_t left, int64_t right,
                                                  const Place& place) const {
  for (const SizeExpression& known : place.context->nearest(place.dimension)) {
    if (!known.isConstant() && known.evaluate(leftValues_) == left &&
        known.evaluate(rightValues_) == right) {
      return known;
    }
  }
  std::optional<SizeExpression> best;
  Cost bestCost;
  for (const Monomial& monomial : monomials_) {
    const bool isForeign = std::any_of(monomial.symbols.begin(), monomial.symbols.end(),
                                       [&](SymbolId id) { return !place.context->mentions(id); });
    for (const auto& found :
         {proportional(monomial, left, right), withOffset(monomial, left, right)}) {
      if (!found) continue;
      Cost cost{place.followsContextOnly && isForeign,
                formOf(*found, monomial.hasStill),
                isForeign,
                magnitude(found->numerator) / 2 + found->denominator / 2,
                magnitude(found->offset),
                found->symbols};
      if (best && bestCost <= cost) continue;
      best = found;
      bestCost = std::move(cost);
    }
  }
  return best;
}

}  // namespace jitscope::compiler
