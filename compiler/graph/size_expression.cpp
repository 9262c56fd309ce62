#include <fmt/format.h>

#include "compiler/graph.h"

namespace jitscope::compiler {
namespace {

// Wide enough for the product of two sizes; unsigned, so that absurd symbol values wrap and stay
// defined.
__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

SignedWide product(const SizeExpression& expression, std::span<const int64_t> symbolValues) {
  Wide result = static_cast<Wide>(expression.numerator);
  for (SymbolId id : expression.symbols) {
    result *= static_cast<Wide>(symbolValues[static_cast<size_t>(id)]);
  }
  return static_cast<SignedWide>(result);
}

}  // namespace

int64_t SizeExpression::evaluate(std::span<const int64_t> symbolValues) const {
  if (isConstant() && numerator == 0) return offset;
  const auto quotient = static_cast<uint64_t>(product(*this, symbolValues) / denominator);
  return static_cast<int64_t>(quotient + static_cast<uint64_t>(offset));
}

bool SizeExpression::isExact(std::span<const int64_t> symbolValues) const {
  return denominator == 1 || product(*this, symbolValues) % denominator == 0;
}

std::string SizeExpression::text() const {
  return textWith([](SymbolId id) { return fmt::format("s{}", static_cast<int32_t>(id)); });
}

std::string SizeExpression::textWith(const std::function<std::string(SymbolId)>& symbolName) const {
  if (isConstant()) return fmt::format("{}", offset);
  std::string text = numerator == 1 ? "" : numerator == -1 ? "-" : fmt::format("{}*", numerator);
  for (size_t i = 0; i < symbols.size(); ++i) {
    text += (i == 0 ? "" : "*") + symbolName(symbols[i]);
  }
  if (denominator != 1) text += fmt::format("/{}", denominator);
  if (offset > 0) text += fmt::format(" + {}", offset);
  if (offset < 0) text += fmt::format(" - {}", uint64_t{0} - static_cast<uint64_t>(offset));
  return text;
}

}  // namespace jitscope::compiler
