#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>

namespace jitscope {

/// Marks a dimension of this tensor object as varying between calls, as torch._dynamo.mark_dynamic:
/// the first compilation already treats it as a symbol. A function that makes it a constant all the
/// same throws ConstraintViolationError. `minimum` and `maximum` bound the sizes for which the
/// entry is used. The mark belongs to the tensor object and goes with it. Throws
/// std::invalid_argument for an undefined tensor or a dimension that it does not have (negative
/// ones count from the end).
void markDynamic(const at::Tensor& tensor, int64_t dimension,
                 std::optional<int64_t> minimum = std::nullopt,
                 std::optional<int64_t> maximum = std::nullopt);

/// As markDynamic, but a dimension that cannot be dynamic is quietly static.
void maybeMarkDynamic(const at::Tensor& tensor, int64_t dimension);

/// Keeps a dimension static, also when it changes: each size is compiled for itself.
void markStatic(const at::Tensor& tensor, int64_t dimension);

}  // namespace jitscope
