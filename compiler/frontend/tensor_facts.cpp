#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {
namespace {

std::vector<SizeExpression> constants(c10::IntArrayRef values) {
  std::vector<SizeExpression> expressions;
  for (const int64_t value : values) expressions.push_back(SizeExpression::constant(value));
  return expressions;
}

}  // namespace

TensorFacts TensorFacts::of(const at::Tensor& tensor) {
  const auto& impl = *tensor.unsafeGetTensorImpl();
  TensorFacts facts;
  facts.keys = impl.key_set();
  facts.dataType = impl.dtype();
  facts.device = impl.device();
  facts.sizes = impl.sizes();
  facts.strides = impl.strides();
  facts.storageOffset = impl.storage_offset();
  facts.requiresGrad = impl.requires_grad();
  return facts;
}

bool TensorFacts::hasSameLayout(const at::Tensor& tensor) const {
  const auto& impl = *tensor.unsafeGetTensorImpl();
  return impl.key_set() == keys && impl.dtype() == dataType && impl.device() == device &&
         impl.sizes().equals(sizes) && impl.strides().equals(strides) &&
         impl.storage_offset() == storageOffset;
}

bool TensorFacts::matches(const at::Tensor& tensor) const {
  return hasSameLayout(tensor) && tensor.unsafeGetTensorImpl()->requires_grad() == requiresGrad;
}

TensorType concreteType(const TensorFacts& facts) {
  TensorType type;
  type.dataType = static_cast<DataType>(facts.dataType.toScalarType());
  type.device = {static_cast<int8_t>(facts.device.type()), facts.device.index()};
  type.sizes = constants(facts.sizes);
  type.strides = constants(facts.strides);
  type.storageOffset = SizeExpression::constant(facts.storageOffset);
  type.requiresGrad = facts.requiresGrad;
  return type;
}

bool isOpaque(const at::Tensor& tensor) {
  static const c10::DispatchKeySet kUnusual{
      c10::DispatchKey::Python,           c10::DispatchKey::FuncTorchGradWrapper,
      c10::DispatchKey::FuncTorchBatched, c10::DispatchKey::Functionalize,
      c10::DispatchKey::ZeroTensor,       c10::DispatchKey::Batched};
  const auto& impl = *tensor.unsafeGetTensorImpl();
  return impl.layout() != c10::kStrided || tensor.is_quantized() || impl.is_nested() ||
         impl.has_symbolic_sizes_strides() || impl.key_set().has_any(kUnusual) ||
         tensor._fw_grad(0).defined();
}

const void* storageOf(const at::Tensor& tensor) {
  return tensor.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl();
}

}  // namespace jitscope::compiler
