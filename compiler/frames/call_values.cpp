#include "compiler/frames/call_values.h"

#include <utility>

namespace jitscope::compiler {

namespace {

void nameModuleTree(const ModuleHandle& module, const std::string& source,
                    std::vector<std::string>& names) {
  ModuleReading reading;
  module.read(module.module.get(), /*withNames=*/true, reading);
  names.push_back(source + ".training");
  names.push_back(source + ".parameters");
  names.push_back(source + ".children");
  size_t next = 0;
  const size_t tensorCount = reading.parameters.size() + reading.buffers.size();
  while (next < tensorCount) names.push_back(source + "." + reading.names[next++]);
  for (const auto& child : reading.children) {
    nameModuleTree({child, module.read}, source + "." + reading.names[next++], names);
  }
}

}  // namespace

Leaves& CallValues::own() {
  if (all_ != &own_) {
    own_ = *all_;
    all_ = &own_;
  }
  return own_;
}

void CallValues::addModule(const ModuleHandle& module) {
  own();
  addModuleTree(module);
}

void CallValues::addModuleTree(const ModuleHandle& module) {
  ModuleReading& reading = readings_.emplace_back();
  module.read(module.module.get(), /*withNames=*/false, reading);
  const auto tensorCount = static_cast<int64_t>(reading.parameters.size() + reading.buffers.size());
  own_.push_back(Leaf::of(Leaf::Kind::kBool, static_cast<int64_t>(reading.isTraining)));
  own_.push_back(Leaf::of(Leaf::Kind::kLength, tensorCount));
  own_.push_back(Leaf::of(Leaf::Kind::kLength, static_cast<int64_t>(reading.children.size())));
  for (const at::Tensor* parameter : reading.parameters) own_.push_back(Leaf::of(*parameter));
  for (const at::Tensor& buffer : reading.buffers) own_.push_back(Leaf::of(buffer));
  for (const auto& child : reading.children) addModuleTree({child, module.read});
}

void CallValues::keep() {
  for (Leaf& leaf : own()) {
    if (leaf.kind == Leaf::Kind::kTensor) {
      leaf = Leaf::of(keptTensors_.emplace_back(*leaf.tensor));
    } else if (leaf.kind == Leaf::Kind::kText || leaf.kind == Leaf::Kind::kKey) {
      leaf = Leaf::of(leaf.kind, keptTexts_.emplace_back(*leaf.text));
    }
  }
}

void CallValues::addCell(const std::shared_ptr<const GuardedCell>& cell,
                         std::shared_ptr<const void> value) {
  cell->flatten(value.get(), own());
  cells_.push_back({cell, std::move(value)});
}

const void* CallValues::valueOf(const GuardedCell& cell) const {
  for (const CellValue& held : cells_) {
    if (held.cell.get() == &cell) return held.value.get();
  }
  return nullptr;
}

void CallValues::nameCells(size_t first, std::vector<std::string>& names) const {
  for (size_t i = first; i < cells_.size(); ++i) cells_[i].cell->name(cells_[i].value.get(), names);
}

void nameModule(const ModuleHandle& module, std::vector<std::string>& names) {
  nameModuleTree(module, std::string(kModuleSource), names);
}

}  // namespace jitscope::compiler
