#include <algorithm>

#include "compiler/loops/index.h"

namespace jitscope::compiler {
namespace {

Index indexOf(const IndexTerm& term) {
  Index product(term.factor);
  for (const IndexAtom& atom : term.atoms) product = product * Index::of(atom);
  return product;
}

/// `term / divisor` when the division leaves no rest as polynomials.
std::optional<Index> exactQuotient(const IndexTerm& term, const IndexTerm& divisor) {
  if (divisor.factor == 0 || term.factor % divisor.factor != 0) return std::nullopt;
  IndexTerm rest{term.factor / divisor.factor, term.atoms};
  for (const IndexAtom& atom : divisor.atoms) {
    const auto place = std::find(rest.atoms.begin(), rest.atoms.end(), atom);
    if (place == rest.atoms.end()) return std::nullopt;
    rest.atoms.erase(place);
  }
  return indexOf(rest);
}

/// Whether the polynomial is at least 0 for all symbols of at least 1. May say no when it is.
bool isNotNegative(const Index& value) {
  // With s = t + 1, t >= 0, non-negative factors are enough.
  Index shifted;
  for (const IndexTerm& term : value.terms()) {
    Index product(term.factor);
    for (const IndexAtom& atom : term.atoms) {
      if (atom.kind == IndexAtom::Kind::kLoop || atom.kind == IndexAtom::Kind::kScalar)
        return false;
      product = product * (atom.kind == IndexAtom::Kind::kSymbol
                               ? Index::symbol(static_cast<SymbolId>(atom.id)) + 1
                               : Index::of(atom));
    }
    shifted += product;
  }
  return std::all_of(shifted.terms().begin(), shifted.terms().end(),
                     [](const IndexTerm& term) { return term.factor > 0; });
}

struct Bounds {
  Index least, most;
};

/// The bounds of an atom without loop variables, when they are known.
std::optional<Bounds> boundsOf(const IndexAtom& atom, std::span<const Index> sizes);

std::optional<Bounds> boundsOf(const Index& value, std::span<const Index> sizes) {
  Bounds sum;
  for (const IndexTerm& term : value.terms()) {
    Bounds product{term.factor, term.factor};
    for (const IndexAtom& atom : term.atoms) {
      const auto bounds = boundsOf(atom, sizes);
      // All atoms are at least 0, so that only the factor's sign counts.
      if (!bounds) return std::nullopt;
      product.least = product.least * (term.factor < 0 ? bounds->most : bounds->least);
      product.most = product.most * (term.factor < 0 ? bounds->least : bounds->most);
    }
    sum.least += product.least;
    sum.most += product.most;
  }
  return sum;
}

std::optional<Bounds> boundsOf(const IndexAtom& atom, std::span<const Index> sizes) {
  switch (atom.kind) {
    case IndexAtom::Kind::kSymbol: {
      const Index symbol = Index::symbol(static_cast<SymbolId>(atom.id));
      return Bounds{symbol, symbol};
    }
    case IndexAtom::Kind::kLoop:
      if (static_cast<size_t>(atom.id) >= sizes.size()) return std::nullopt;
      return Bounds{0, sizes[static_cast<size_t>(atom.id)] - 1};
    case IndexAtom::Kind::kRemainder:
      return Bounds{0, *atom.denominator - 1};
    case IndexAtom::Kind::kQuotient: {
      const auto numerator = boundsOf(*atom.numerator, sizes);
      if (!numerator || !isNotNegative(numerator->least)) return std::nullopt;
      if (!numerator->most.isConstant() || !atom.denominator->isConstant()) {
        return Bounds{0, floorDivided(numerator->most, *atom.denominator)};
      }
      return Bounds{0, numerator->most.constant() / atom.denominator->constant()};
    }
    case IndexAtom::Kind::kScalar:
      break;
  }
  return std::nullopt;
}

/// `value` as `multiple * divisor + rest`, taking into `multiple` every term that divides.
struct Split {
  Index multiple, rest;
};

Split splitBy(const Index& value, const IndexTerm& divisor) {
  Split split;
  for (const IndexTerm& term : value.terms()) {
    if (auto quotient = exactQuotient(term, divisor)) {
      split.multiple += *quotient;
    } else {
      split.rest += indexOf(term);
    }
  }
  return split;
}

/// numerator / denominator as one division: (a / b) / c is a / (b * c).
Index flatQuotient(const Index& numerator, const Index& denominator) {
  if (numerator.terms().size() == 1 && numerator.terms()[0].factor == 1 &&
      numerator.terms()[0].atoms.size() == 1) {
    const IndexAtom& atom = numerator.terms()[0].atoms[0];
    if (atom.kind == IndexAtom::Kind::kQuotient) {
      return floorDivided(*atom.numerator, *atom.denominator * denominator);
    }
  }
  return floorDivided(numerator, denominator);
}

/// `d * (a / d) + a % d` is a, whatever stands before both.
Index withJoinedDivisions(const Index& value) {
  for (const IndexTerm& term : value.terms()) {
    for (size_t i = 0; i < term.atoms.size(); ++i) {
      const IndexAtom& atom = term.atoms[i];
      if (atom.kind != IndexAtom::Kind::kRemainder) continue;
      IndexTerm cofactor = term;
      cofactor.atoms.erase(cofactor.atoms.begin() + static_cast<std::ptrdiff_t>(i));
      const Index before = indexOf(cofactor);
      const Index whole = before * *atom.denominator;
      const Index partner = whole * flatQuotient(*atom.numerator, *atom.denominator);
      if (partner.terms().size() != 1) continue;
      const auto isPartner = [&](const IndexTerm& other) { return indexOf(other) == partner; };
      if (std::none_of(value.terms().begin(), value.terms().end(), isPartner)) continue;
      return withJoinedDivisions(value - indexOf(term) - partner + before * *atom.numerator);
    }
  }
  return value;
}

}  // namespace

bool IndexRanges::isWithin(const Index& value, const Index& limit) const {
  const auto bounds = boundsOf(value, sizes);
  return bounds && isNotNegative(bounds->least) && isNotNegative(limit - 1 - bounds->most);
}

Index IndexRanges::quotient(const Index& numerator, const Index& denominator) const {
  if (denominator.is(1)) return numerator;
  if (denominator.isConstant() && numerator.isConstant() && denominator.constant() > 0) {
    return numerator.constant() / denominator.constant();
  }
  if (denominator.terms().size() == 1) {
    const Split split = splitBy(numerator, denominator.terms()[0]);
    if (isWithin(split.rest, denominator)) return split.multiple;
    const auto bounds = boundsOf(split.rest, sizes);
    // What divides may leave the division where the rest is not negative.
    if (bounds && isNotNegative(bounds->least) && !split.multiple.is(0)) {
      return split.multiple + floorDivided(split.rest, denominator);
    }
  }
  if (isWithin(numerator, denominator)) return 0;
  return flatQuotient(numerator, denominator);
}

Index IndexRanges::remainder(const Index& numerator, const Index& denominator) const {
  if (denominator.is(1)) return 0;
  if (denominator.isConstant() && numerator.isConstant() && denominator.constant() > 0) {
    return numerator.constant() % denominator.constant();
  }
  if (denominator.terms().size() == 1) {
    const Split split = splitBy(numerator, denominator.terms()[0]);
    if (isWithin(split.rest, denominator)) return split.rest;
    const auto bounds = boundsOf(split.rest, sizes);
    if (bounds && isNotNegative(bounds->least)) return remainderOf(split.rest, denominator);
  }
  if (isWithin(numerator, denominator)) return numerator;
  return remainderOf(numerator, denominator);
}

Index IndexRanges::simplified(const Index& value) const {
  if (!value.hasDivision()) return value;
  Index result;
  for (const IndexTerm& term : value.terms()) {
    Index product(term.factor);
    for (const IndexAtom& atom : term.atoms) {
      if (!atom.isDivision()) {
        product = product * Index::of(atom);
        continue;
      }
      const Index numerator = simplified(*atom.numerator);
      const Index denominator = simplified(*atom.denominator);
      product =
          product * (atom.kind == IndexAtom::Kind::kQuotient ? quotient(numerator, denominator)
                                                             : remainder(numerator, denominator));
    }
    result += product;
  }
  return withJoinedDivisions(result);
}

Index linearized(std::span<const Index> coordinates, std::span<const Index> sizes) {
  Index position;
  for (size_t i = 0; i < sizes.size(); ++i) position = position * sizes[i] + coordinates[i];
  return position;
}

std::vector<Index> delinearized(const Index& position, std::span<const Index> sizes,
                                const IndexRanges& ranges) {
  std::vector<Index> coordinates(sizes.size());
  Index stride(1);
  for (size_t i = sizes.size(); i-- > 0;) {
    const Index above = ranges.quotient(position, stride);
    coordinates[i] = i == 0 ? above : ranges.remainder(above, sizes[i]);
    if (sizes[i].is(1)) coordinates[i] = 0;
    stride = stride * sizes[i];
  }
  return coordinates;
}

}  // namespace jitscope::compiler
