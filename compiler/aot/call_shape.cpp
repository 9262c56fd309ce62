#include "compiler/aot/call_shape.h"

#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/set.h>
#include <c10/core/AutogradState.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <algorithm>
#include <numeric>

#include "compiler/aot/refusal.h"
#include "compiler/frontend/tensor_facts.h"

namespace jitscope::compiler {
namespace {

const void* memoryOf(const at::Tensor& tensor) {
  return tensor.defined() && tensor.layout() == c10::kStrided ? storageOf(tensor) : nullptr;
}

/// For each address the position of the first that equals it; null equals nothing.
std::vector<uint32_t> firstEqual(const std::vector<const void*>& addresses) {
  std::vector<uint32_t> order(addresses.size()), first(addresses.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return addresses[a] < addresses[b]; });
  for (size_t i = 0; i < order.size(); ++i) {
    const void* address = addresses[order[i]];
    const bool isRepeated = i > 0 && address != nullptr && addresses[order[i - 1]] == address;
    first[order[i]] = isRepeated ? first[order[i - 1]] : order[i];
  }
  return first;
}

/// A tensor over all of the storage, with the version counter that its views share.
at::Tensor wholeOf(const at::Tensor& tensor) {
  const at::AutoDispatchBelowADInplaceOrView belowAutograd;
  const auto& storage = tensor.storage();
  const auto count = static_cast<int64_t>(storage.nbytes() / tensor.element_size());
  at::Tensor whole = at::empty({0}, tensor.options()).set_(storage, 0, {count}, {1});
  if (!tensor.is_inference()) {
    whole.unsafeGetTensorImpl()->set_version_counter(
        tensor.unsafeGetTensorImpl()->version_counter());
  }
  return whole;
}

/// The tensor that all members are views of. With gradient what one view is written with would go
/// on into the others, where user code could differentiate by it.
at::Tensor commonBase(const ArgumentLayout::Primal& primal, std::span<const at::Tensor> arguments) {
  const at::Tensor& first = arguments[primal.members.front()];
  for (const size_t member : primal.members) {
    if (arguments[member].requires_grad()) {
      throw Refusal("tensors that require gradient share memory that is written to");
    }
    if (arguments[member].dtype() != first.dtype()) {
      throw Refusal("tensors of different dtypes share memory that is written to");
    }
  }
  return wholeOf(first);
}

}  // namespace

CallShape CallShape::of(std::span<const at::Tensor> arguments, std::span<const int64_t> symbols) {
  CallShape shape;
  shape.symbols.assign(symbols.begin(), symbols.end());
  const auto& autograd = c10::AutogradState::get_tls_state();
  shape.isGradEnabled = autograd.get_grad_mode();
  shape.isInferenceMode = autograd.get_inference_mode();
  const auto excluded = c10::impl::tls_local_dispatch_key_set().excluded_;
  shape.autocastKeys = (c10::autocast_dispatch_keyset - excluded).raw_repr();
  std::vector<const void*> objects, memories;
  for (const at::Tensor& tensor : arguments) {
    objects.push_back(tensor.defined() ? tensor.unsafeGetTensorImpl() : nullptr);
    memories.push_back(memoryOf(tensor));
  }
  const auto sameAs = firstEqual(objects), sharesWith = firstEqual(memories);
  shape.arguments.reserve(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    Argument argument{sameAs[i], sharesWith[i]};
    if (arguments[i].defined()) {
      argument.requiresGrad = arguments[i].requires_grad();
      argument.isLeaf = arguments[i].is_leaf();
      argument.isInference = arguments[i].is_inference();
    }
    shape.arguments.push_back(argument);
  }
  return shape;
}

CallPlaces CallPlaces::of(std::span<const at::Tensor> arguments) {
  CallPlaces places;
  for (const at::Tensor& tensor : arguments) {
    const bool hasPlace = memoryOf(tensor) != nullptr;
    places.offsets.push_back(hasPlace ? tensor.storage_offset() : 0);
    const auto& memory = tensor.unsafeGetTensorImpl()->unsafe_storage();
    places.storageBytes.push_back(hasPlace ? static_cast<int64_t>(memory.nbytes()) : 0);
  }
  return places;
}

ArgumentLayout layOut(std::span<const at::Tensor> arguments, const CallShape& shape,
                      bool mergesAliases) {
  ArgumentLayout layout;
  std::vector<size_t> baseOf(arguments.size(), arguments.size());
  std::vector<bool> isShared(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto& argument = shape.arguments[i];
    if (argument.sameAs == i && argument.sharesWith != i) isShared[argument.sharesWith] = true;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto& [sameAs, sharesWith, requiresGrad, isLeaf, isInference] = shape.arguments[i];
    if (sameAs != i) {
      layout.arguments.push_back(layout.arguments[sameAs]);
      continue;
    }
    layout.hasAliases |= isShared[sharesWith];
    if (!mergesAliases || !isShared[sharesWith]) {
      layout.arguments.push_back({layout.primals.size(), false, {}, {}, 0});
      layout.primals.push_back({i, false, {}});
      continue;
    }
    if (baseOf[sharesWith] == arguments.size()) {
      baseOf[sharesWith] = layout.primals.size();
      layout.primals.push_back({i, true, {}});
    }
    const size_t primal = baseOf[sharesWith];
    layout.primals[primal].members.push_back(i);
    layout.arguments.push_back({primal, true, arguments[i].sizes().vec(),
                                arguments[i].strides().vec(), arguments[i].storage_offset()});
  }
  return layout;
}

std::vector<at::Tensor> primalsOf(const ArgumentLayout& layout,
                                  std::span<const at::Tensor> arguments) {
  std::vector<at::Tensor> primals;
  primals.reserve(layout.primals.size());
  for (const auto& primal : layout.primals) {
    primals.push_back(primal.isBase ? commonBase(primal, arguments) : arguments[primal.argument]);
  }
  return primals;
}

}  // namespace jitscope::compiler
