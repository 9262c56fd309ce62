#include "compiler/loops/index.h"

#include <fmt/format.h>

#include <algorithm>

namespace jitscope::compiler {
namespace {

std::strong_ordering compareAtoms(const std::vector<IndexAtom>& left,
                                  const std::vector<IndexAtom>& right) {
  return std::lexicographical_compare_three_way(left.begin(), left.end(), right.begin(),
                                                right.end());
}

IndexAtom division(IndexAtom::Kind kind, const Index& numerator, const Index& denominator) {
  return {kind, 0, std::make_shared<const Index>(numerator),
          std::make_shared<const Index>(denominator)};
}

/// Raises x to the power of its repetitions by plain multiplication.
Index productOfAtoms(const IndexTerm& term, const std::function<Index(const IndexAtom&)>& value) {
  Index product(term.factor);
  for (const IndexAtom& atom : term.atoms) product = product * value(atom);
  return product;
}

}  // namespace

std::strong_ordering IndexAtom::operator<=>(const IndexAtom& other) const {
  if (kind != other.kind) return kind <=> other.kind;
  if (!isDivision()) return id <=> other.id;
  if (const auto order = *numerator <=> *other.numerator; std::is_neq(order)) return order;
  return *denominator <=> *other.denominator;
}

Index::Index(int64_t constant) {
  if (constant != 0) terms_.push_back({constant, {}});
}

Index Index::ofAtom(IndexAtom atom) {
  Index index;
  index.terms_.push_back({1, {std::move(atom)}});
  return index;
}

Index Index::loop(LoopId id) {
  return ofAtom({IndexAtom::Kind::kLoop, static_cast<int32_t>(id), nullptr, nullptr});
}
Index Index::symbol(SymbolId id) {
  return ofAtom({IndexAtom::Kind::kSymbol, static_cast<int32_t>(id), nullptr, nullptr});
}
Index Index::of(const IndexAtom& atom) { return ofAtom(atom); }
Index Index::scalar(ScalarId value) {
  return ofAtom({IndexAtom::Kind::kScalar, static_cast<int32_t>(value), nullptr, nullptr});
}

Index Index::of(const SizeExpression& size) {
  if (size.isConstant() && size.numerator == 0) return size.offset;
  Index product(size.numerator);
  for (const SymbolId id : size.symbols) product = product * symbol(id);
  if (size.denominator != 1) product = floorDivided(product, size.denominator);
  return product + size.offset;
}

bool Index::isConstant() const {
  return terms_.empty() || (terms_.size() == 1 && terms_[0].atoms.empty());
}

int64_t Index::constant() const { return terms_.empty() ? 0 : terms_[0].factor; }

void Index::add(IndexTerm term) {
  const auto place = std::lower_bound(terms_.begin(), terms_.end(), term,
                                      [](const IndexTerm& left, const IndexTerm& right) {
                                        return std::is_lt(compareAtoms(left.atoms, right.atoms));
                                      });
  if (place == terms_.end() || std::is_neq(compareAtoms(place->atoms, term.atoms))) {
    if (term.factor != 0) terms_.insert(place, std::move(term));
    return;
  }
  place->factor += term.factor;
  if (place->factor == 0) terms_.erase(place);
}

Index& Index::operator+=(const Index& other) {
  // By value: `other` may be this index itself.
  for (IndexTerm term : std::vector<IndexTerm>(other.terms_)) add(std::move(term));
  return *this;
}

Index Index::operator+(const Index& other) const { return Index(*this) += other; }
Index Index::operator-(const Index& other) const { return Index(*this) += -other; }

Index Index::operator-() const {
  Index negated = *this;
  for (IndexTerm& term : negated.terms_) term.factor = -term.factor;
  return negated;
}

Index Index::operator*(const Index& other) const {
  Index product;
  for (const IndexTerm& left : terms_) {
    for (const IndexTerm& right : other.terms_) {
      IndexTerm term{left.factor * right.factor, left.atoms};
      term.atoms.insert(term.atoms.end(), right.atoms.begin(), right.atoms.end());
      std::sort(term.atoms.begin(), term.atoms.end());
      product.add(std::move(term));
    }
  }
  return product;
}

std::strong_ordering Index::operator<=>(const Index& other) const {
  return std::lexicographical_compare_three_way(
      terms_.begin(), terms_.end(), other.terms_.begin(), other.terms_.end(),
      [](const IndexTerm& left, const IndexTerm& right) {
        const auto order = compareAtoms(left.atoms, right.atoms);
        return std::is_neq(order) ? order : left.factor <=> right.factor;
      });
}

bool Index::operator==(const Index& other) const { return std::is_eq(*this <=> other); }

void Index::forEachAtom(const std::function<void(const IndexAtom&)>& visit) const {
  for (const IndexTerm& term : terms_) {
    for (const IndexAtom& atom : term.atoms) {
      visit(atom);
      if (!atom.isDivision()) continue;
      atom.numerator->forEachAtom(visit);
      atom.denominator->forEachAtom(visit);
    }
  }
}

bool Index::uses(LoopId id) const {
  bool isUsed = false;
  forEachAtom([&](const IndexAtom& atom) {
    isUsed |= atom.kind == IndexAtom::Kind::kLoop && atom.id == static_cast<int32_t>(id);
  });
  return isUsed;
}

bool Index::hasDivision() const {
  bool has = false;
  forEachAtom([&](const IndexAtom& atom) { has |= atom.isDivision(); });
  return has;
}

std::optional<Index> Index::strideOf(LoopId id) const {
  const IndexAtom wanted{IndexAtom::Kind::kLoop, static_cast<int32_t>(id), nullptr, nullptr};
  Index stride;
  for (const IndexTerm& term : terms_) {
    const auto count = std::count(term.atoms.begin(), term.atoms.end(), wanted);
    Index single;
    single.add(term);
    if (count == 0 && single.uses(id)) return std::nullopt;
    if (count == 0) continue;
    IndexTerm rest = term;
    rest.atoms.erase(std::find(rest.atoms.begin(), rest.atoms.end(), wanted));
    Index factor;
    factor.add(std::move(rest));
    if (factor.uses(id)) return std::nullopt;
    stride += factor;
  }
  return stride;
}

Index Index::withAtoms(const std::function<Index(const IndexAtom&)>& replacement) const {
  const auto replaced = [&](const IndexAtom& atom) -> Index {
    if (!atom.isDivision()) return replacement(atom);
    const Index numerator = atom.numerator->withAtoms(replacement);
    const Index denominator = atom.denominator->withAtoms(replacement);
    return atom.kind == IndexAtom::Kind::kQuotient ? floorDivided(numerator, denominator)
                                                   : remainderOf(numerator, denominator);
  };
  Index result;
  for (const IndexTerm& term : terms_) result += productOfAtoms(term, replaced);
  return result;
}

Index Index::withLoops(std::span<const Index> replacement) const {
  return withAtoms([&](const IndexAtom& atom) {
    const bool isLoop = atom.kind == IndexAtom::Kind::kLoop;
    return isLoop ? replacement[static_cast<size_t>(atom.id)] : ofAtom(atom);
  });
}

int64_t Index::evaluate(std::span<const int64_t> symbols) const {
  return evaluate(symbols, {}, {});
}

int64_t Index::evaluate(std::span<const int64_t> symbols, std::span<const int64_t> loops,
                        const std::function<int64_t(ScalarId)>& scalar) const {
  const auto valueOf = [&](const IndexAtom& atom) -> int64_t {
    if (atom.kind == IndexAtom::Kind::kSymbol) return symbols[static_cast<size_t>(atom.id)];
    if (atom.kind == IndexAtom::Kind::kLoop) return loops[static_cast<size_t>(atom.id)];
    if (atom.kind == IndexAtom::Kind::kScalar) return scalar(static_cast<ScalarId>(atom.id));
    const int64_t denominator = atom.denominator->evaluate(symbols, loops, scalar);
    const int64_t numerator = atom.numerator->evaluate(symbols, loops, scalar);
    if (denominator == 0) return 0;  // of an empty tensor: no element is ever asked for
    return atom.kind == IndexAtom::Kind::kQuotient ? numerator / denominator
                                                   : numerator % denominator;
  };
  int64_t sum = 0;
  for (const IndexTerm& term : terms_) {
    int64_t product = term.factor;
    for (const IndexAtom& atom : term.atoms) product *= valueOf(atom);
    sum += product;
  }
  return sum;
}

std::string Index::text(const std::function<std::string(const IndexAtom&)>& name) const {
  if (terms_.empty()) return "0";
  const auto atomText = [&](const IndexAtom& atom) {
    if (!atom.isDivision()) return name(atom);
    const auto operand = [&](const Index& index) {
      const bool isPlain =
          index.isConstant() || (index.terms_.size() == 1 && index.terms_[0].factor == 1 &&
                                 index.terms_[0].atoms.size() == 1);
      return isPlain ? index.text(name) : "(" + index.text(name) + ")";
    };
    return fmt::format("({} {} {})", operand(*atom.numerator),
                       atom.kind == IndexAtom::Kind::kQuotient ? "/" : "%",
                       operand(*atom.denominator));
  };
  std::string text;
  // Loops before the constant, as one writes it.
  for (auto term = terms_.rbegin(); term != terms_.rend(); ++term) {
    const int64_t factor = text.empty() ? term->factor : std::abs(term->factor);
    if (!text.empty()) text += term->factor < 0 ? " - " : " + ";
    if (term->atoms.empty() || factor != 1) text += fmt::format("{}", factor);
    for (size_t i = 0; i < term->atoms.size(); ++i) {
      text += (i > 0 || factor != 1 ? "*" : "") + atomText(term->atoms[i]);
    }
  }
  return text;
}

std::string Index::text() const {
  return text([](const IndexAtom& atom) {
    const char* letter = atom.kind == IndexAtom::Kind::kSymbol ? "s"
                         : atom.kind == IndexAtom::Kind::kLoop ? "i"
                                                               : "v";
    return fmt::format("{}{}", letter, atom.id);
  });
}

Index floorDivided(const Index& numerator, const Index& denominator) {
  return Index::ofAtom(division(IndexAtom::Kind::kQuotient, numerator, denominator));
}

Index remainderOf(const Index& numerator, const Index& denominator) {
  return Index::ofAtom(division(IndexAtom::Kind::kRemainder, numerator, denominator));
}

Index productOf(std::span<const Index> sizes) {
  Index product(1);
  for (const Index& size : sizes) product = product * size;
  return product;
}

}  // namespace jitscope::compiler
