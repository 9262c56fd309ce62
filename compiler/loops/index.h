#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/graph.h"

/// \file
/// Integers as functions of loop variables and sizes: what addresses memory in a loop nest.
namespace jitscope::compiler {

/// A loop variable of one nest, counted from the outermost.
enum class LoopId : int32_t {};
/// A computed value, by its place in a `Body`.
enum class ScalarId : int32_t { kNone = -1 };

struct IndexAtom;

/// A product of atoms with an integer factor.
struct IndexTerm {
  int64_t factor = 0;
  std::vector<IndexAtom> atoms;  ///< sorted; one may repeat
};

/// A sum of terms in normal form: two of them are equal when they are the same polynomial of their
/// atoms. A value without identity, like a number.
class Index {
 public:
  Index() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Index(int64_t constant);
  static Index loop(LoopId id);
  static Index symbol(SymbolId id);
  static Index of(const IndexAtom& atom);
  /// The integer in `value`, as in an index that a tensor holds.
  static Index scalar(ScalarId value);
  static Index of(const SizeExpression& size);

  const std::vector<IndexTerm>& terms() const { return terms_; }
  bool isConstant() const;
  /// The integer; requires `isConstant`.
  int64_t constant() const;
  bool is(int64_t value) const { return isConstant() && constant() == value; }

  Index& operator+=(const Index& other);
  Index operator+(const Index& other) const;
  Index operator-(const Index& other) const;
  Index operator*(const Index& other) const;
  Index operator-() const;

  /// A total order without meaning, for tables.
  std::strong_ordering operator<=>(const Index& other) const;
  bool operator==(const Index& other) const;

  /// Calls `visit` for each atom, those inside quotients and remainders included.
  void forEachAtom(const std::function<void(const IndexAtom&)>& visit) const;
  bool uses(LoopId id) const;
  /// Whether a quotient or a remainder is left in it.
  bool hasDivision() const;

  /// The factor of loop variable `id` if the index is linear in it; none when it is not.
  std::optional<Index> strideOf(LoopId id) const;
  /// The index with every atom that is no division replaced.
  Index withAtoms(const std::function<Index(const IndexAtom&)>& replacement) const;
  /// The index where each loop variable is replaced; `replacement[k]` stands for loop k.
  Index withLoops(std::span<const Index> replacement) const;

  /// The integer for these symbol values; the index must hold no loop variable.
  int64_t evaluate(std::span<const int64_t> symbols) const;
  /// The integer for these symbol values and loop counters. `scalar` gives the computed values.
  int64_t evaluate(std::span<const int64_t> symbols, std::span<const int64_t> loops,
                   const std::function<int64_t(ScalarId)>& scalar) const;

  /// As C text: `4*i0 + s0*(i1 / 2)`. `name` gives the text of atoms that are no division.
  std::string text(const std::function<std::string(const IndexAtom&)>& name) const;
  std::string text() const;

 private:
  friend Index floorDivided(const Index&, const Index&);
  friend Index remainderOf(const Index&, const Index&);
  void add(IndexTerm term);
  static Index ofAtom(IndexAtom atom);
  std::vector<IndexTerm> terms_;  ///< sorted by atoms, factors not 0
};

/// A loop variable, a symbol, a computed value, or a division that stays undone.
struct IndexAtom {
  enum class Kind : uint8_t { kSymbol, kLoop, kScalar, kQuotient, kRemainder };
  Kind kind = Kind::kSymbol;
  int32_t id = 0;
  std::shared_ptr<const Index> numerator, denominator;  ///< of a quotient or remainder

  bool isDivision() const { return kind >= Kind::kQuotient; }
  std::strong_ordering operator<=>(const IndexAtom& other) const;
  bool operator==(const IndexAtom& other) const { return (*this <=> other) == 0; }  // NOLINT
};

/// The division as an atom, without simplification. Operands are not negative where it is used.
Index floorDivided(const Index& numerator, const Index& denominator);
Index remainderOf(const Index& numerator, const Index& denominator);

/// The product of all sizes.
Index productOf(std::span<const Index> sizes);

/// How often each loop runs. Divisions are simplified by it: loop k is in [0, sizes[k]).
struct IndexRanges {
  std::span<const Index> sizes;

  /// numerator / denominator, as simple as the ranges allow.
  Index quotient(const Index& numerator, const Index& denominator) const;
  /// numerator % denominator, likewise.
  Index remainder(const Index& numerator, const Index& denominator) const;
  /// Whether 0 <= value < limit is certain for sizes of at least 1.
  bool isWithin(const Index& value, const Index& limit) const;
  /// Divisions in `value` again, after its loop variables were replaced.
  Index simplified(const Index& value) const;
};

/// Row-major: the position of `coordinates` among `sizes`.
Index linearized(std::span<const Index> coordinates, std::span<const Index> sizes);
/// Its inverse.
std::vector<Index> delinearized(const Index& position, std::span<const Index> sizes,
                                const IndexRanges& ranges);

}  // namespace jitscope::compiler
