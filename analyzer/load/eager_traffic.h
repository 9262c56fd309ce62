#pragma once

#include <cstdint>
#include <string_view>

namespace jitscope::analyzer {

/// What one of LibTorch's own kernels reads and writes, in bytes, by the operator that launched it
/// and the shapes of that one's tensor inputs (see trace::OpRow); -1 where that is not known. The
/// dtype of all its tensors is the one that the kernel's name is of; kernels that convert between
/// dtypes are unknown, and so are those of whole numbers. Each input counts once. Of the output:
/// where elements are computed from elements it is as large as the inputs broadcast, of a
/// normalisation as large as the first input, and of a reduction it is left out, being smaller than
/// what it is made of.
int64_t eagerTraffic(std::string_view kernel, std::string_view op, std::string_view shapes);

}  // namespace jitscope::analyzer
