#pragma once

#include <ATen/core/Tensor.h>

#include <span>
#include <unordered_map>
#include <vector>

#include "compiler/frontend/segment.h"

namespace jitscope::compiler {

/// The tensors of one run by ValueRef. Holds no tensor alive; the addresses in it are not used
/// again by other tensors while it lives.
class ValueTable {
 public:
  explicit ValueTable(std::span<const at::Tensor> inputs);

  /// Cuts back to the values below `count`, or makes room for as many.
  void resize(size_t count);
  size_t size() const { return values_.size(); }
  size_t inputCount() const { return inputs_.size(); }

  /// Sets or replaces the tensor of an existing ref.
  void set(ValueRef ref, const at::Tensor& tensor);
  /// Adds an input.
  ValueRef addInput(const at::Tensor& tensor);

  /// The tensor; undefined when it is gone or has not been set.
  at::Tensor get(ValueRef ref) const;
  /// Its address, gone or not; null when it has not been set.
  const c10::TensorImpl* address(ValueRef ref) const { return slot(ref).address; }
  /// Whether user code still holds it.
  bool isAlive(ValueRef ref) const;

  /// The newest ref with this tensor; none when there is none. Builds an index at first use.
  ValueRef find(const at::Tensor& tensor);

 private:
  struct Slot {
    const c10::TensorImpl* address = nullptr;
    WeakTensor weak{c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>()};
  };
  const Slot& slot(ValueRef ref) const {
    return ref.isInput() ? inputs_[ref.index()] : values_[ref.index()];
  }

  std::vector<Slot> inputs_, values_;
  std::unordered_map<const c10::TensorImpl*, ValueRef> index_;
  bool isIndexed_ = false;
};

}  // namespace jitscope::compiler
