#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/arguments.h"
#include "compiler/frames/fixed_tensors.h"
#include "compiler/frames/global_state.h"
#include "compiler/frames/memory_sharing.h"
#include "compiler/journal/journal.h"

/// \file
/// The guards of one entry as a flat program over the leaves of a call. Why they fail is told in
/// Dynamo's order: global state, then the leaves as they come, each tensor by dispatch keys, dtype,
/// device, requires_grad, rank, sizes and strides, then the relations between tensors.
namespace jitscope::compiler {

/// The values that a dynamic size or integer may take; static when it is not dynamic.
struct Freedom {
  bool isDynamic = false;
  int64_t minimum = 2;  ///< 0 and 1 are always compiled for themselves
  int64_t maximum = std::numeric_limits<int64_t>::max();
};

/// What the guards of a leaf leave open.
struct LeafFreedom {
  std::vector<Freedom> dimensions;  ///< of a tensor; empty: all static
  Freedom integer;                  ///< of an integer
  bool isIdentityGuarded = false;   ///< a module's parameter: the same tensor object again
};

/// A call as guards see it.
struct GuardedCall {
  const Leaves& leaves;
  const GlobalState& globalState;
};

/// Guards as data. Leaves, tensors and dimensions each lie one after the other, so that checking
/// walks memory forward.
struct GuardTables {
  struct Dimension {
    static constexpr int64_t kAny = -1;
    int64_t size = kAny;
    int64_t stride = kAny;             ///< fixed, or the factor when `strideOf` names a dimension
    int32_t strideOf = -1;             ///< then stride == size[strideOf] * stride[strideOf]
    int64_t minimum = 0, maximum = 0;  ///< of a size that is kAny
  };
  struct Tensor {
    uint64_t keys = 0;
    caffe2::TypeMeta dtype;
    c10::Device device{c10::kCPU};
    bool isDefined = false, requiresGrad = false, isStrided = false;
    uint32_t rank = 0, firstDimension = 0;
    uint32_t leaf = 0;
    bool isIdentityGuarded = false;
    at::Tensor object;  ///< for identity guards; else undefined
  };
  struct Value {
    Leaf::Kind kind = Leaf::Kind::kInteger;
    bool isDynamic = false;            ///< an integer that is a symbol
    uint32_t index = 0;                ///< of its tensor or text
    int64_t integer = 0;               ///< also the bits of a real
    int64_t minimum = 0, maximum = 0;  ///< when it is dynamic
  };
  struct EqualSizes {
    size_t leaf = 0, dimension = 0, otherLeaf = 0, otherDimension = 0;
  };

  GlobalState globalState;
  std::vector<Value> values;  ///< one per leaf
  std::vector<Tensor> tensors;
  std::vector<Dimension> dimensions;
  std::vector<std::string> texts;    ///< expected strings and keys
  std::vector<std::string> sources;  ///< one per leaf
  std::vector<EqualSizes> equalSizes;
  MemorySharing sharing;  ///< parallel to `tensors`
};

/// The checks of an entry. Never changes after the entry is published, so any thread may ask it.
class GuardProgram {
 public:
  /// Guards for calls in this global state; leaves are added by `add`.
  explicit GuardProgram(const GlobalState& globalState);

  /// Adds guards for the leaves beyond those added before, as they are now. `sources` and
  /// `freedoms` are parallel to these new leaves.
  void add(const Leaves& leaves, std::span<const std::string> sources,
           std::span<const LeafFreedom> freedoms);

  /// Requires two sizes to be equal in each call, because one symbol stands for both.
  void requireEqualSizes(GuardTables::EqualSizes equal);

  /// Whether all guards hold. A call may have more leaves than there are guards. In no particular
  /// order: what failed is for `firstFailure` to find out.
  bool holds(const GuardedCall& call) const;

  /// The first guard that fails, in Dynamo's order; nothing when all hold.
  std::optional<GuardFailure> firstFailure(const GuardedCall& call) const;

  /// All guards as text.
  std::vector<GuardText> texts() const;

 private:
  void addTensor(const at::Tensor& tensor, const LeafFreedom& freedom);
  bool isFixed(const GuardTables::Tensor& tensor) const;
  void addDimensions(const at::Tensor& tensor, const LeafFreedom& freedom);

  GuardTables tables_;            ///< all guards
  FixedTensors fixedTensors_;     ///< those of some tensors once more, to be checked quickly
  std::vector<uint32_t> others_;  ///< the leaves whose guards are in `tables_` alone
};

/// The stride of dimension `d` as the guards of a tensor with dynamic sizes expect it.
int64_t expectedStride(const GuardTables::Dimension& guard, c10::IntArrayRef sizes,
                       c10::IntArrayRef strides);

}  // namespace jitscope::compiler
