#include "compiler/frontend/value_table.h"

namespace jitscope::compiler {

ValueTable::ValueTable(std::span<const at::Tensor> inputs) {
  inputs_.reserve(inputs.size());
  for (const auto& tensor : inputs) addInput(tensor);
}

void ValueTable::resize(size_t count) {
  if (count < values_.size()) isIndexed_ = false;
  values_.resize(count);
}

void ValueTable::set(ValueRef ref, const at::Tensor& tensor) {
  Slot& target = ref.isInput() ? inputs_[ref.index()] : values_[ref.index()];
  target.address = tensor.unsafeGetTensorImpl();
  target.weak = WeakTensor(tensor.getIntrusivePtr());
  if (isIndexed_) index_.insert_or_assign(target.address, ref);
}

ValueRef ValueTable::addInput(const at::Tensor& tensor) {
  inputs_.emplace_back();
  const auto ref = ValueRef::input(inputs_.size() - 1);
  if (tensor.defined()) set(ref, tensor);
  return ref;
}

at::Tensor ValueTable::get(ValueRef ref) const {
  if (ref.isNone()) return {};
  return at::Tensor(slot(ref).weak.lock());
}

bool ValueTable::isAlive(ValueRef ref) const {
  const Slot& known = slot(ref);
  return known.address && known.weak.use_count() > 0;
}

ValueRef ValueTable::find(const at::Tensor& tensor) {
  if (!isIndexed_) {
    index_.clear();
    const auto add = [&](ValueRef ref) {
      if (slot(ref).address) index_.insert_or_assign(slot(ref).address, ref);
    };
    // Later refs win; among equal inputs the first, as guards name it.
    for (size_t i = inputs_.size(); i-- > 0;) add(ValueRef::input(i));
    for (size_t i = 0; i < values_.size(); ++i) add(ValueRef::value(i));
    isIndexed_ = true;
  }
  const auto found = index_.find(tensor.unsafeGetTensorImpl());
  return found == index_.end() ? ValueRef() : found->second;
}

}  // namespace jitscope::compiler
