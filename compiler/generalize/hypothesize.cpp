#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "compiler/generalize/generalize.h"
#include "compiler/generalize/size_context.h"
#include "compiler/graph/traverse.h"

namespace jitscope::compiler {
namespace {

// Integer arguments that are sizes. Others (dimensions, exponents, counts of groups) may equal a
// size by chance and are left alone.
constexpr std::array<std::string_view, 15> kSizeArguments{
    "size",    "sizes",  "shape",      "end",         "start",       "length",
    "repeats", "stride", "split_size", "split_sizes", "output_size", "normalized_shape",
    "n",       "m",      "new_size"};

constexpr int64_t kMostParts = 2;  // more would take fixed sizes for parts of dynamic ones

bool standsFor(const GraphSymbol& symbol, const std::string& source) {
  return symbol.source == source ||
         std::find(symbol.equalSources.begin(), symbol.equalSources.end(), source) !=
             symbol.equalSources.end();
}

class Guesser {
 public:
  Guesser(const Graph& sample, SymbolValues values) : graph_(sample), values_(values) {}

  Graph run() {
    for (const GraphInput& input : graph_.inputs) guessInput(input);
    for (Node& node : graph_.nodes) guessNode(node);
    return std::move(graph_);
  }

 private:
  void guessInput(const GraphInput& input) {
    TensorType& type = typeOf(input.value);
    const bool comesFromCaller = input.source.starts_with("L[");
    const std::vector<SizeExpression> before = type.sizes;
    for (size_t d = 0; d < type.sizes.size(); ++d) {
      const std::string source = input.source + ".size()[" + std::to_string(d) + "]";
      const auto declared =
          std::find_if(graph_.symbols.begin(), graph_.symbols.end(),
                       [&](const GraphSymbol& symbol) { return standsFor(symbol, source); });
      if (declared != graph_.symbols.end()) {
        type.sizes[d] = symbolAt(static_cast<size_t>(declared - graph_.symbols.begin()));
      } else if (!comesFromCaller) {
        // A value of an earlier segment.
        if (const auto symbol = symbolOf(before[d])) type.sizes[d] = *symbol;
      }
    }
    guessStrides(before, {}, type);
  }

  void guessNode(Node& node) {
    const SizeContext ofArguments = contextOfArguments(node, graph_.values);
    std::vector<ValueId> read;
    for (Argument& argument : node.arguments) {
      forEachValue(argument.value, [&](ValueId id) { read.push_back(id); });
      auto* attribute = std::get_if<Attribute>(&argument.value);
      const bool isSize = std::find(kSizeArguments.begin(), kSizeArguments.end(), argument.name) !=
                          kSizeArguments.end();
      if (!attribute || !isSize) continue;
      forEachExpression(*attribute,
                        [&](SizeExpression& size) { size = guessArgument(size, ofArguments); });
    }
    const SizeContext context = contextOfResults(node, graph_.values);
    for (const NodeResult& result : node.results) {
      forEachValue(result, [&](ValueId id) {
        const bool isNew =
            id != ValueId::kNone && std::find(read.begin(), read.end(), id) == read.end();
        if (isNew) guessResult(context, read, typeOf(id));
      });
    }
  }

  SizeExpression guessArgument(const SizeExpression& size, const SizeContext& context) const {
    if (const auto symbol = symbolOf(size)) return *symbol;
    for (const SizeExpression& run : context.flattened()) {
      if (!run.isConstant() && isSame(run, size)) return run;
    }
    for (const SizeExpression& known : context.nearest(0)) {
      if (const auto part = multipleOrPart(known, size)) return *part;
    }
    return size;
  }

  void guessResult(const SizeContext& context, const std::vector<ValueId>& read,
                   TensorType& type) const {
    const std::vector<SizeExpression> before = type.sizes;
    for (size_t d = 0; d < type.sizes.size(); ++d) type.sizes[d] = guessSize(before[d], d, context);
    std::vector<SizeExpression> strides;
    for (ValueId id : read) {
      if (id == ValueId::kNone) continue;
      const auto& known = graph_.value(id).type.strides;
      strides.insert(strides.end(), known.begin(), known.end());
    }
    guessStrides(before, strides, type);
    type.storageOffset = guessOffset(type.storageOffset, context, strides);
  }

  /// A view starts some steps of one dimension into what it looks at.
  SizeExpression guessOffset(const SizeExpression& offset, const SizeContext& context,
                             const std::vector<SizeExpression>& strides) const {
    if (value(offset) == 0) return offset;
    for (const SizeExpression& steps : context.nearest(0)) {
      for (const SizeExpression& stride : strides) {
        const auto guess = product(steps, stride);
        if (guess && !guess->isConstant() && isSame(*guess, offset)) return *guess;
      }
    }
    return offset;
  }

  SizeExpression guessSize(const SizeExpression& size, size_t dimension,
                           const SizeContext& context) const {
    const std::vector<SizeExpression> same = context.sameDimension(dimension);
    // 1 is what broadcasting and reductions leave, whatever it was before.
    if (value(size) <= 1) return size;
    for (const SizeExpression& known : same) {
      if (isSame(known, size)) return known;
    }
    for (const SizeExpression& known : context.nearest(dimension)) {
      if (!known.isConstant() && isSame(known, size)) return known;
    }
    for (const SizeExpression& run : context.flattened()) {
      if (!run.isConstant() && isSame(run, size)) return run;
    }
    for (const SizeExpression& known : same) {
      if (const auto part = multipleOrPart(known, size)) return *part;
    }
    return size;
  }

  /// What concatenation with itself or cutting into equal parts makes of a dynamic dimension.
  std::optional<SizeExpression> multipleOrPart(const SizeExpression& known,
                                               const SizeExpression& size) const {
    if (known.isConstant() || known.offset != 0) return std::nullopt;
    for (int64_t count = 2; count <= kMostParts; ++count) {
      if (auto multiple = product(known, SizeExpression::constant(count));
          multiple && isSame(*multiple, size)) {
        return multiple;
      }
      if (value(known) == value(size) * count) {
        SizeExpression part = known;
        part.denominator *= count;
        return part;
      }
    }
    return std::nullopt;
  }

  /// Strides follow the guessed sizes where the tensor is contiguous, else those of what was read.
  void guessStrides(const std::vector<SizeExpression>& before,
                    const std::vector<SizeExpression>& read, TensorType& type) const {
    const auto plain = contiguousStrides(before);
    const auto guessed = contiguousStrides(type.sizes);
    for (size_t d = 0; d < type.strides.size(); ++d) {
      SizeExpression& stride = type.strides[d];
      if (guessed[d] && plain[d] && isSame(*plain[d], stride) && isSame(*guessed[d], stride)) {
        stride = *guessed[d];
        continue;
      }
      const auto known = std::find_if(read.begin(), read.end(), [&](const SizeExpression& other) {
        return !other.isConstant() && isSame(other, stride);
      });
      if (known != read.end()) stride = *known;
    }
  }

  std::optional<SizeExpression> symbolOf(const SizeExpression& size) const {
    const int64_t wanted = value(size);
    for (size_t i = 0; wanted > 1 && i < values_.size(); ++i) {
      if (values_[i] == wanted) return symbolAt(i);
    }
    return std::nullopt;
  }

  static SizeExpression symbolAt(size_t index) {
    return SizeExpression::symbol(SymbolId{static_cast<int32_t>(index)});
  }
  int64_t value(const SizeExpression& size) const { return size.evaluate(values_); }
  bool isSame(const SizeExpression& a, const SizeExpression& b) const {
    return value(a) == value(b);
  }
  TensorType& typeOf(ValueId id) { return graph_.values[static_cast<size_t>(id)].type; }

  Graph graph_;
  const SymbolValues values_;
};

}  // namespace

Graph hypothesize(const Graph& sample, SymbolValues values) {
  return Guesser(sample, values).run();
}

}  // namespace jitscope::compiler
