#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace jitscope::compiler {

/// What a user said about one dimension of one tensor object.
struct DimensionMark {
  enum class Kind { kDynamic, kMaybeDynamic, kStatic };
  Kind kind = Kind::kDynamic;
  int64_t dimension = 0;
  int64_t minimum = 2;
  int64_t maximum = std::numeric_limits<int64_t>::max();
};

/// Adds a mark; a later one for the same dimension replaces the earlier. Throws
/// std::invalid_argument.
void markDimension(const at::Tensor& tensor, DimensionMark mark);

/// Whether any live tensor may have marks: one atomic load.
bool anyMarks();

/// The marks of this tensor object.
std::vector<DimensionMark> marksOf(const at::Tensor& tensor);

}  // namespace jitscope::compiler
