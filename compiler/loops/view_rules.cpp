#include <algorithm>
#include <numeric>

#include "compiler/loops/lowering_rules.h"
#include "compiler/loops/reshape.h"
#include "compiler/loops/scalar_math.h"

namespace jitscope::compiler {
namespace {

using Coordinates = std::vector<Index>;
using At = std::span<const Index>;

int64_t wrapped(int64_t dim, size_t rank) {
  return dim < 0 ? dim + static_cast<int64_t>(std::max(rank, size_t{1})) : dim;
}

/// A view that reads `source[order[i]]` at coordinate i.
bool permuted(NodeLowering& node, const std::vector<int64_t>& order) {
  node.view(0, "self", [order](PointBuilder&, At at) {
    Coordinates source(at.size());
    for (size_t i = 0; i < at.size(); ++i) source[static_cast<size_t>(order[i])] = at[i];
    return source;
  });
  return true;
}

bool permute(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  auto dims = node.arguments.integers("dims");
  if (!self || !dims || !node.arguments.isUnderstood()) return false;
  for (int64_t& dim : *dims) dim = wrapped(dim, self->sizes.size());
  return permuted(node, *dims);
}

bool swapped(NodeLowering& node, int64_t first, int64_t second) {
  const LoweredRef self = node.tensor("self");
  if (!self || !node.arguments.isUnderstood()) return false;
  std::vector<int64_t> order(self->sizes.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  if (order.empty()) return permuted(node, order);
  std::swap(order[static_cast<size_t>(wrapped(first, order.size()))],
            order[static_cast<size_t>(wrapped(second, order.size()))]);
  return permuted(node, order);
}

bool transpose(NodeLowering& node) {
  return swapped(node, node.arguments.integer("dim0", 0), node.arguments.integer("dim1", 1));
}

bool matrixTranspose(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  return self && self->sizes.size() >= 2 && swapped(node, -2, -1);
}

bool t(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self) return false;
  return self->sizes.size() < 2 ? (node.same(0, "self"), true) : swapped(node, 0, 1);
}

bool numpyT(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self) return false;
  std::vector<int64_t> order(self->sizes.size());
  std::iota(order.rbegin(), order.rend(), int64_t{0});
  return permuted(node, order);
}

bool expand(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self) return false;
  // Each repetition would compute it again.
  if (self->isExpensive && self->buffer == BufferId::kNone) node.realize("self");
  node.view(0, "self", [self](PointBuilder&, At at) {
    const size_t added = at.size() - self->sizes.size();
    Coordinates source(self->sizes.size());
    for (size_t i = 0; i < source.size(); ++i) {
      source[i] = self->sizes[i].is(1) ? Index(0) : at[added + i];
    }
    return source;
  });
  return true;
}

bool reshape(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self || node.arguments.node().overload == "dtype") return false;
  const std::vector<Index> from = self->sizes, to = node.resultSizes();
  const auto coordinates = [from, to](PointBuilder& point, At at) {
    return reshapedCoordinates(from, to, at, point.ranges());
  };
  const TensorType& source = node.type(node.arguments.tensor("self"));
  // A reshape that cannot be a view is a copy.
  if (isViewable(source, node.resultType(), node.hints())) {
    node.view(0, "self", coordinates);
  } else {
    node.rearranged(0, self, coordinates);
  }
  return true;
}

bool slice(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self || self->sizes.empty()) return false;
  const auto dim =
      static_cast<size_t>(wrapped(node.arguments.integer("dim", 0), self->sizes.size()));
  const int64_t step = node.arguments.integer("step", 1);
  Index start = node.arguments.index("start").value_or(0);
  const Index& size = self->sizes[dim];
  if (!node.arguments.isUnderstood()) return false;
  if (start.isConstant() && start.constant() < 0) {
    // How far it is clamped is known only where the size is.
    if (!size.isConstant()) return false;
    start = std::max<int64_t>(0, start.constant() + size.constant());
  } else if (!start.isConstant()) {
    const IndexRanges noLoops{{}};
    if (!noLoops.isWithin(start, size + 1)) return false;
  }
  node.view(0, "self", [=](PointBuilder&, At at) {
    Coordinates source(at.begin(), at.end());
    source[dim] = start + at[dim] * step;
    return source;
  });
  return true;
}

bool narrow(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  const auto start = node.arguments.index("start");
  if (!self || !start || !node.arguments.isUnderstood()) return false;
  if (!start->isConstant() || start->constant() < 0) return false;
  const auto dim =
      static_cast<size_t>(wrapped(node.arguments.integer("dim", 0), self->sizes.size()));
  node.view(0, "self", [=](PointBuilder&, At at) {
    Coordinates source(at.begin(), at.end());
    source[dim] += *start;
    return source;
  });
  return true;
}

bool select(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  auto position = node.arguments.index("index");
  if (!self || !position || !node.arguments.isUnderstood()) return false;
  const auto dim =
      static_cast<size_t>(wrapped(node.arguments.integer("dim", 0), self->sizes.size()));
  if (!position->isConstant()) return false;
  if (position->constant() < 0) *position += self->sizes[dim];
  node.view(0, "self", [=](PointBuilder&, At at) {
    Coordinates source(at.begin(), at.end());
    source.insert(source.begin() + static_cast<std::ptrdiff_t>(dim), *position);
    return source;
  });
  return true;
}

bool unsqueeze(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self || !node.arguments.isUnderstood()) return false;
  const int64_t dim = wrapped(node.arguments.integer("dim", 0), self->sizes.size() + 1);
  node.view(0, "self", [dim](PointBuilder&, At at) {
    Coordinates source(at.begin(), at.end());
    source.erase(source.begin() + dim);
    return source;
  });
  return true;
}

bool isIn(const std::vector<int64_t>& dims, size_t dim, size_t rank) {
  return std::any_of(dims.begin(), dims.end(), [&](int64_t other) {
    return wrapped(other, rank) == static_cast<int64_t>(dim);
  });
}

bool squeeze(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self) return false;
  const auto dims = node.arguments.integers("dim");
  if (!node.arguments.isUnderstood()) return false;
  const size_t rank = self->sizes.size();
  std::vector<bool> isDropped(rank);
  for (size_t i = 0; i < rank; ++i) {
    isDropped[i] = self->sizes[i].is(1) && (!dims || isIn(*dims, i, rank));
  }
  node.view(0, "self", [isDropped](PointBuilder&, At at) {
    Coordinates source(isDropped.size());
    size_t next = 0;
    for (size_t i = 0; i < source.size(); ++i) source[i] = isDropped[i] ? Index(0) : at[next++];
    return source;
  });
  return true;
}

/// Pieces of a dimension, one after the other, whatever their sizes are.
bool pieces(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self || self->sizes.empty() || !node.arguments.isUnderstood()) return false;
  const auto dim =
      static_cast<size_t>(wrapped(node.arguments.integer("dim", 0), self->sizes.size()));
  Index start(0);
  for (size_t i = 0; i < node.resultCount(); ++i) {
    node.view(i, "self", [dim, start](PointBuilder&, At at) {
      Coordinates source(at.begin(), at.end());
      source[dim] += start;
      return source;
    });
    start += node.resultSizes(i)[dim];
  }
  return true;
}

bool unbind(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  if (!self || !node.arguments.isUnderstood()) return false;
  const int64_t dim = wrapped(node.arguments.integer("dim", 0), self->sizes.size());
  for (size_t i = 0; i < node.resultCount(); ++i) {
    node.view(i, "self", [dim, i](PointBuilder&, At at) {
      Coordinates source(at.begin(), at.end());
      source.insert(source.begin() + dim, Index(static_cast<int64_t>(i)));
      return source;
    });
  }
  return true;
}

bool sameTensor(NodeLowering& node) {
  if (!node.tensor("self")) return false;
  node.same(0, "self");
  return true;
}

bool flip(NodeLowering& node) {
  const LoweredRef self = node.tensor("self");
  const auto dims = node.arguments.integers("dims");
  if (!self || !dims || !node.arguments.isUnderstood()) return false;
  node.rearranged(0, self, [self, dims = *dims](PointBuilder&, At at) {
    Coordinates source(at.begin(), at.end());
    for (size_t i = 0; i < source.size(); ++i) {
      if (isIn(dims, i, source.size())) source[i] = self->sizes[i] - 1 - source[i];
    }
    return source;
  });
  return true;
}

constexpr NamedRule kViewRules[]{
    {"aten::permute", permute},
    {"aten::transpose", transpose},
    {"aten::swapaxes", transpose},
    {"aten::t", t},
    {"aten::numpy_T", numpyT},
    {"aten::mT", matrixTranspose},
    {"aten::expand", expand},
    {"aten::expand_as", expand},
    {"aten::broadcast_to", expand},
    {"aten::view", reshape},
    {"aten::reshape", reshape},
    {"aten::_unsafe_view", reshape},
    {"aten::view_as", reshape},
    {"aten::reshape_as", reshape},
    {"aten::flatten", reshape},
    {"aten::unflatten", reshape},
    {"aten::slice", slice},
    {"aten::narrow", narrow},
    {"aten::select", select},
    {"aten::unsqueeze", unsqueeze},
    {"aten::squeeze", squeeze},
    {"aten::split", pieces},
    {"aten::split_with_sizes", pieces},
    {"aten::chunk", pieces},
    {"aten::tensor_split", pieces},
    {"aten::unbind", unbind},
    {"aten::detach", sameTensor},
    {"aten::alias", sameTensor},
    {"aten::flip", flip},
};

}  // namespace

std::span<const NamedRule> viewRules() { return kViewRules; }

}  // namespace jitscope::compiler
