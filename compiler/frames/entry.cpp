#include "compiler/frames/entry.h"

#include <bit>
#include <functional>

namespace jitscope::compiler {

ResultTemplate::ResultTemplate(const Leaves& leaves) {
  for (const Leaf& leaf : leaves) {
    using Kind = Leaf::Kind;
    if (leaf.kind == Kind::kText || leaf.kind == Kind::kKey) {
      leaves_.push_back(Leaf::of(leaf.kind, texts_.emplace_back(*leaf.text)));
    } else {
      leaves_.push_back(leaf);
    }
    hasValues_ |= leaf.kind == Kind::kInteger || leaf.kind == Kind::kReal ||
                  leaf.kind == Kind::kBool || leaf.kind == Kind::kText;
  }
}

void Entry::setResult(const Leaves& leaves) {
  auto result = std::make_unique<const ResultTemplate>(leaves);
  const std::scoped_lock lock(mutex_);
  result_.store(result.get(), std::memory_order_release);
  results_.push_back(std::move(result));
}

ProgramTensors programInputs(const Entry& entry, const Leaves& leaves) {
  ProgramTensors inputs;
  for (const uint32_t leaf : entry.inputLeaves) inputs.push_back(*leaves[leaf].tensor);
  return inputs;
}

c10::SmallVector<int64_t, 4> symbolValues(const Entry& entry, const Leaves& leaves) {
  c10::SmallVector<int64_t, 4> values;
  for (const SymbolSource& symbol : entry.symbols) {
    const Leaf& leaf = leaves[symbol.leaf];
    values.push_back(symbol.isScalar() ? leaf.integer
                                       : leaf.tensor->size(static_cast<int64_t>(symbol.dimension)));
  }
  return values;
}

LeafNumbers numbersOf(const Leaves& leaves) {
  using Kind = Leaf::Kind;
  LeafNumbers numbers;
  for (const Leaf& leaf : leaves) {
    switch (leaf.kind) {
      case Kind::kTensor:
        numbers.push_back(leaf.tensor->defined() ? leaf.tensor->sizes().vec()
                                                 : std::vector<int64_t>());
        break;
      case Kind::kReal:
        numbers.push_back({std::bit_cast<int64_t>(leaf.real)});
        break;
      case Kind::kText:
      case Kind::kKey:
        numbers.push_back({static_cast<int64_t>(std::hash<std::string>()(*leaf.text))});
        break;
      default:
        numbers.push_back({leaf.integer});
    }
  }
  return numbers;
}

}  // namespace jitscope::compiler
