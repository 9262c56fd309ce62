#include "compiler/frames/entry.h"

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

ProgramTensors programInputs(const Entry& entry, const Leaves& leaves) {
  ProgramTensors inputs;
  for (const uint32_t leaf : entry.inputLeaves) inputs.push_back(*leaves[leaf].tensor);
  return inputs;
}

c10::SmallVector<int64_t, 4> symbolValues(const Entry& entry, const Leaves& leaves) {
  c10::SmallVector<int64_t, 4> values;
  for (const SymbolSource& symbol : entry.symbols) {
    const Leaf& leaf = leaves[symbol.leaf];
    values.push_back(symbol.dimension == SymbolSource::kScalar
                         ? leaf.integer
                         : leaf.tensor->size(static_cast<int64_t>(symbol.dimension)));
  }
  return values;
}

std::vector<std::vector<int64_t>> numbersOf(const Leaves& leaves) {
  std::vector<std::vector<int64_t>> numbers;
  for (const Leaf& leaf : leaves) {
    if (leaf.kind == Leaf::Kind::kTensor && leaf.tensor->defined()) {
      numbers.push_back(leaf.tensor->sizes().vec());
    } else if (leaf.kind == Leaf::Kind::kInteger) {
      numbers.push_back({leaf.integer});
    } else {
      numbers.emplace_back();
    }
  }
  return numbers;
}

}  // namespace jitscope::compiler
