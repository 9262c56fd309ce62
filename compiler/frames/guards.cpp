#include "compiler/frames/guards.h"

#include <algorithm>
#include <bit>

namespace jitscope::compiler {

namespace {

using Kind = Leaf::Kind;

bool dimensionsHold(const GuardTables::Dimension* guards, const GuardTables::Tensor& tensor,
                    const at::TensorImpl& impl) {
  const c10::IntArrayRef sizes = impl.sizes();
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    const int64_t expected = guards[d].size;
    if (expected == sizes[d]) continue;
    if (expected != GuardTables::Dimension::kAny) return false;
    if (sizes[d] < guards[d].minimum || sizes[d] > guards[d].maximum) return false;
  }
  if (!tensor.isStrided) return true;
  const c10::IntArrayRef strides = impl.strides();
  for (uint32_t d = 0; d < tensor.rank; ++d) {
    if (expectedStride(guards[d], sizes, strides) != strides[d]) return false;
  }
  return true;
}

bool tensorHolds(const GuardTables& tables, const GuardTables::Tensor& guard,
                 const at::Tensor& tensor) {
  if (!tensor.defined()) return !guard.isDefined;
  const at::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
  if (guard.isIdentityGuarded && guard.object.unsafeGetTensorImpl() != &impl) return false;
  return guard.isDefined && impl.key_set().raw_repr() == guard.keys &&
         impl.dtype() == guard.dtype && impl.device() == guard.device &&
         tensor.requires_grad() == guard.requiresGrad && impl.dim() == guard.rank &&
         dimensionsHold(tables.dimensions.data() + guard.firstDimension, guard, impl);
}

bool valueHolds(const GuardTables& tables, const GuardTables::Value& guard, const Leaf& leaf) {
  if (leaf.kind != guard.kind) return false;
  switch (guard.kind) {
    case Kind::kTensor:
      return tensorHolds(tables, tables.tensors[guard.index], *leaf.tensor);
    case Kind::kReal:
      return std::bit_cast<int64_t>(leaf.real) == guard.integer;
    case Kind::kText:
    case Kind::kKey:
      return *leaf.text == tables.texts[guard.index];
    default:
      if (!guard.isDynamic) return leaf.integer == guard.integer;
      return leaf.integer >= guard.minimum && leaf.integer <= guard.maximum;
  }
}

bool equalSizesHold(const GuardTables& tables, const Leaves& leaves) {
  for (const GuardTables::EqualSizes& equal : tables.equalSizes) {
    if (leaves[equal.leaf].tensor->size(static_cast<int64_t>(equal.dimension)) !=
        leaves[equal.otherLeaf].tensor->size(static_cast<int64_t>(equal.otherDimension))) {
      return false;
    }
  }
  return true;
}

}  // namespace

int64_t expectedStride(const GuardTables::Dimension& guard, c10::IntArrayRef sizes,
                       c10::IntArrayRef strides) {
  if (guard.strideOf < 0) return guard.stride;
  const auto other = static_cast<size_t>(guard.strideOf);
  return sizes[other] * strides[other];
}

GuardProgram::GuardProgram(const GlobalState& globalState) { tables_.globalState = globalState; }

void GuardProgram::add(const Leaves& leaves, std::span<const std::string> sources,
                       std::span<const LeafFreedom> freedoms) {
  const size_t first = tables_.values.size();
  for (size_t i = first; i < leaves.size(); ++i) {
    const Leaf& leaf = leaves[i];
    const LeafFreedom& freedom = freedoms[i - first];
    GuardTables::Value value;
    value.kind = leaf.kind;
    const auto position = static_cast<uint32_t>(i);
    bool isFixedTensor = false;
    if (leaf.kind == Kind::kTensor) {
      value.index = static_cast<uint32_t>(tables_.tensors.size());
      addTensor(*leaf.tensor, freedom);
      isFixedTensor = isFixed(tables_.tensors.back());
    } else if (leaf.kind == Kind::kText || leaf.kind == Kind::kKey) {
      value.index = static_cast<uint32_t>(tables_.texts.size());
      tables_.texts.push_back(*leaf.text);
    } else {
      value.integer = leaf.kind == Kind::kReal ? std::bit_cast<int64_t>(leaf.real) : leaf.integer;
      value.isDynamic = freedom.integer.isDynamic;
      value.minimum = freedom.integer.minimum;
      value.maximum = freedom.integer.maximum;
    }
    tables_.values.push_back(value);
    tables_.sources.push_back(sources[i - first]);
    if (isFixedTensor) {
      fixedTensors_.add(position, *leaf.tensor, freedom.isIdentityGuarded);
    } else {
      others_.push_back(position);
    }
  }
  tables_.sharing = MemorySharing(leaves, leaves.size());
}

void GuardProgram::addTensor(const at::Tensor& tensor, const LeafFreedom& freedom) {
  GuardTables::Tensor guard;
  guard.leaf = static_cast<uint32_t>(tables_.values.size());
  guard.isIdentityGuarded = freedom.isIdentityGuarded;
  if (freedom.isIdentityGuarded) guard.object = tensor;
  guard.firstDimension = static_cast<uint32_t>(tables_.dimensions.size());
  if (tensor.defined()) {
    const at::TensorImpl& impl = *tensor.unsafeGetTensorImpl();
    guard.isDefined = true;
    guard.keys = impl.key_set().raw_repr();
    guard.dtype = impl.dtype();
    guard.device = impl.device();
    guard.requiresGrad = tensor.requires_grad();
    guard.isStrided = tensor.layout() == at::kStrided && !tensor.is_nested();
    guard.rank = static_cast<uint32_t>(impl.dim());
    addDimensions(tensor, freedom);
  }
  tables_.tensors.push_back(std::move(guard));
}

bool GuardProgram::isFixed(const GuardTables::Tensor& tensor) const {
  const auto first = tables_.dimensions.begin() + tensor.firstDimension;
  return tensor.isStrided && std::none_of(first, first + tensor.rank, [](const auto& dimension) {
           return dimension.size == GuardTables::Dimension::kAny;
         });
}

void GuardProgram::addDimensions(const at::Tensor& tensor, const LeafFreedom& freedom) {
  const auto isDynamic = [&](size_t d) {
    return d < freedom.dimensions.size() && freedom.dimensions[d].isDynamic;
  };
  const c10::IntArrayRef sizes = tensor.sizes();
  const bool hasStrides = tensor.layout() == at::kStrided && !tensor.is_nested();
  std::vector<bool> followsDynamic(sizes.size(), false);
  const size_t first = tables_.dimensions.size();
  for (size_t d = 0; d < sizes.size(); ++d) {
    GuardTables::Dimension dimension;
    if (isDynamic(d)) {
      dimension.minimum = freedom.dimensions[d].minimum;
      dimension.maximum = freedom.dimensions[d].maximum;
    } else {
      dimension.size = sizes[d];
    }
    if (hasStrides) dimension.stride = tensor.stride(static_cast<int64_t>(d));
    tables_.dimensions.push_back(dimension);
  }
  if (!hasStrides) return;
  const c10::IntArrayRef strides = tensor.strides();
  // A stride that is a dynamic size times the stride of that dimension follows it; dimensions are
  // visited from the inside out, so that a chain of products is found link by link.
  for (size_t d = sizes.size(); d-- > 0;) {
    for (size_t other = sizes.size(); other-- > 0;) {
      if (other == d || sizes[other] < 2) continue;
      if (!isDynamic(other) && !followsDynamic[other]) continue;
      if (strides[d] != sizes[other] * strides[other]) continue;
      tables_.dimensions[first + d].strideOf = static_cast<int32_t>(other);
      followsDynamic[d] = true;
      break;
    }
  }
}

void GuardProgram::requireEqualSizes(GuardTables::EqualSizes equal) {
  tables_.equalSizes.push_back(equal);
}

bool GuardProgram::holds(const GuardedCall& call) const {
  if (!(call.globalState == tables_.globalState)) return false;
  if (call.leaves.size() < tables_.values.size()) return false;  // a list became shorter
  if (!fixedTensors_.hold(call.leaves)) return false;
  for (const uint32_t i : others_) {
    if (!valueHolds(tables_, tables_.values[i], call.leaves[i])) return false;
  }
  return equalSizesHold(tables_, call.leaves) && tables_.sharing.holds(call.leaves);
}

}  // namespace jitscope::compiler
