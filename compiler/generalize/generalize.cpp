#include "compiler/generalize/generalize.h"

#include <fmt/format.h>

#include "compiler/generalize/graph_pair.h"
#include "compiler/generalize/size_search.h"

namespace jitscope::compiler {
namespace {

/// Merges the integers of two samples into expressions that give both.
class Generalizer final : public PairVisitor {
 public:
  Generalizer(SymbolValues leftValues, SymbolValues rightValues)
      : leftValues_(leftValues), rightValues_(rightValues), search_(leftValues, rightValues) {}

  bool merge(const IntegerPair& pair, SizeExpression& merged) override {
    const int64_t left = pair.left.evaluate(leftValues_);
    const int64_t right = pair.right.evaluate(rightValues_);
    const auto fits = [&](const SizeExpression& size) {
      return !size.isConstant() && size.evaluate(leftValues_) == left &&
             size.evaluate(rightValues_) == right;
    };
    // What a sample says about itself is believed as long as the other one agrees.
    if (fits(pair.left) || fits(pair.right)) {
      merged = fits(pair.left) ? pair.left : pair.right;
      return true;
    }
    if (left == right) {
      merged = SizeExpression::constant(left);
      return true;
    }
    const auto found =
        search_.explain(left, right, {pair.context, pair.dimension, pair.isOfResult});
    if (found) merged = *found;
    return found.has_value();
  }

  std::string difference(const std::string& what, const std::string& left,
                         const std::string& right) const override {
    return fmt::format("{} is {} in one sample and {} in the other, which no size explains", what,
                       left, right);
  }

  std::string leftText(const SizeExpression& size) const override {
    return std::to_string(size.evaluate(leftValues_));
  }
  std::string rightText(const SizeExpression& size) const override {
    return std::to_string(size.evaluate(rightValues_));
  }

 private:
  const SymbolValues leftValues_, rightValues_;
  const SizeSearch search_;
};

/// Compares what a general graph predicts with a sample.
class Checker final : public PairVisitor {
 public:
  explicit Checker(SymbolValues values) : values_(values) {}

  bool merge(const IntegerPair& pair, SizeExpression&) override {
    return pair.left.isExact(values_) &&
           pair.left.evaluate(values_) == pair.right.evaluate(values_);
  }

  std::string difference(const std::string& what, const std::string& left,
                         const std::string& right) const override {
    return fmt::format("{}: expected {}, actual {}", what, left, right);
  }

  std::string leftText(const SizeExpression& size) const override {
    const std::string value = std::to_string(size.evaluate(values_));
    return size.isConstant() ? value : fmt::format("{} ({})", value, size.text());
  }
  std::string rightText(const SizeExpression& size) const override {
    return std::to_string(size.evaluate(values_));
  }

 private:
  const SymbolValues values_;
};

}  // namespace

trace::Result<Graph> generalize(const Graph& left, SymbolValues leftValues, const Graph& right,
                                SymbolValues rightValues) {
  Generalizer generalizer(leftValues, rightValues);
  Graph merged;
  const std::string problem = walkPair(left, right, generalizer, merged);
  if (!problem.empty()) return trace::Error{problem};
  return merged;
}

std::string firstDifference(const Graph& general, const Graph& sample, SymbolValues values) {
  Checker checker(values);
  Graph merged;
  return walkPair(general, sample, checker, merged);
}

}  // namespace jitscope::compiler
