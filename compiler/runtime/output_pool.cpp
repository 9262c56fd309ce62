#include "compiler/runtime/output_pool.h"

#include <ATen/EmptyTensor.h>
#include <ATen/ops/empty_strided.h>
#include <c10/core/Allocator.h>
#include <c10/util/Exception.h>

#include <cstring>

#include "compiler/runtime/memory_pool.h"

namespace jitscope::compiler {
namespace {

void giveBack(void* memory) { MemoryPool::instance().give(memory); }

class PoolAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(size_t bytes) override {
    void* memory = MemoryPool::instance().take(bytes);
    TORCH_CHECK(memory || bytes == 0, "out of memory: cannot allocate ", bytes, " bytes");
    return {memory, memory, &giveBack, c10::Device(c10::kCPU)};
  }
  c10::DeleterFnPtr raw_deleter() const override { return &giveBack; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    std::memcpy(to, from, bytes);
  }
};

}  // namespace

at::Tensor makeOutput(at::IntArrayRef sizes, at::IntArrayRef strides, at::ScalarType type,
                      at::Device device) {
  if (!device.is_cpu()) {
    return at::empty_strided(sizes, strides, at::TensorOptions(type).device(device));
  }
  static auto* pool = new PoolAllocator;  // never destroyed: tensors may outlive statics
  return at::Tensor(at::detail::empty_strided_generic(
      sizes, strides, pool, c10::DispatchKeySet(c10::DispatchKey::CPU), type));
}

}  // namespace jitscope::compiler
