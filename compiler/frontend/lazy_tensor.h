#pragma once

#include <ATen/core/Tensor.h>

#include <atomic>

#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {

class LazyTensor;

/// Is told when user code reaches for the memory or the autograd state of a LazyTensor.
class LazyTensorListener {
 public:
  virtual ~LazyTensorListener() = default;

  /// User code takes a pointer to the memory, or makes an alias past the dispatcher. On return the
  /// tensor must be bound.
  virtual void onDataAccess(const LazyTensor& tensor) = 0;

  /// User code reads or changes the tensor's place in the autograd graph, by `what`. On return the
  /// tensor must be bound.
  virtual void onGradientAccess(const LazyTensor& tensor, const char* what) = 0;

  /// Somebody reads the sizes of a tensor that tells about it.
  virtual void onSizeRead(const LazyTensor& tensor) = 0;
};

/// A tensor whose memory may not exist yet. It has its metadata from the start; the first access to
/// its memory tells a listener, who binds it to the real tensor. Once bound and disarmed it is an
/// ordinary tensor that may stay in user code for good.
///
/// Works because has_storage() and storage() are virtual and LibTorch calls them before it reads
/// the pointer.
class LazyTensor final : public c10::TensorImpl {
 public:
  LazyTensor(LazyTensorListener& listener, const TensorFacts& facts);

  /// A new tensor without memory.
  static at::Tensor make(LazyTensorListener& listener, const TensorFacts& facts);
  /// A new tensor that shares `real`'s memory and gradient, armed: tells accesses to its memory.
  static at::Tensor makeBound(LazyTensorListener& listener, const at::Tensor& real);
  /// The lazy tensor behind `tensor`; null for others.
  static LazyTensor* from(const at::Tensor& tensor);
  static LazyTensor* from(c10::TensorImpl* impl);

  bool isBound() const { return isBound_; }
  LazyTensorListener* listener() const { return listener_; }

  /// Takes memory and version counter of `real`, which has the same layout.
  void bindMemory(const at::Tensor& real);

  /// From now on until it is disarmed, tells when its sizes are read.
  void watchSizes() { set_custom_sizes_strides(SizesStridesPolicy::CustomSizes); }
  bool isWatched() const { return matches_policy(SizesStridesPolicy::CustomSizes); }

  /// No more listening. The tensor must be bound, or nobody may hold it.
  void disarm();

  bool has_storage() const override;
  const at::Storage& storage() const override;
  c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(const c10::VariableVersion& version,
                                                         bool allowChange) const override;
  c10::intrusive_ptr<TensorImpl> shallow_copy_and_detach(c10::VariableVersion&& version,
                                                         bool allowChange) const override;
  void shallow_copy_from(const c10::intrusive_ptr<TensorImpl>& other) override;
  c10::IntArrayRef sizes_custom() const override;
  int64_t numel_custom() const override;

 private:
  void tell() const;

  LazyTensorListener* listener_;
  bool isBound_ = false;
};

}  // namespace jitscope::compiler
