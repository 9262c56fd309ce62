#include "compiler/loops/reshape.h"

#include <algorithm>
#include <optional>

namespace jitscope::compiler {
namespace {

/// Dimensions `from` and `to` that hold the same elements among themselves.
struct Group {
  size_t fromBegin, fromEnd, toBegin, toEnd;
};

/// The smallest groups; one group of all where symbols hide how the sizes correspond.
std::vector<Group> groupsOf(std::span<const Index> from, std::span<const Index> to) {
  std::vector<Group> groups;
  size_t i = 0, k = 0;
  while (i < from.size() && k < to.size()) {
    Group group{i, i + 1, k, k + 1};
    Index left = from[i++], right = to[k++];
    while (!(left == right)) {
      const bool areNumbers = left.isConstant() && right.isConstant();
      const bool growsLeft = areNumbers ? left.constant() < right.constant() : i < from.size();
      if (growsLeft && i < from.size()) {
        left = left * from[i++];
      } else if (k < to.size()) {
        right = right * to[k++];
      } else {
        return {{0, from.size(), 0, to.size()}};
      }
    }
    group.fromEnd = i;
    group.toEnd = k;
    groups.push_back(group);
  }
  // What is left has size 1 on either side, or the shapes belong together only as a whole.
  const auto isOne = [](const Index& size) { return size.is(1); };
  if (std::all_of(from.begin() + static_cast<std::ptrdiff_t>(i), from.end(), isOne) &&
      std::all_of(to.begin() + static_cast<std::ptrdiff_t>(k), to.end(), isOne)) {
    return groups;
  }
  return {{0, from.size(), 0, to.size()}};
}

std::vector<int64_t> numbersOf(const std::vector<SizeExpression>& sizes,
                               const std::vector<int64_t>& hints) {
  std::vector<int64_t> numbers;
  numbers.reserve(sizes.size());
  for (const SizeExpression& size : sizes) numbers.push_back(size.evaluate(hints));
  return numbers;
}

/// The strides of a view of that size, as torch finds them; none when there is no such view.
std::optional<std::vector<int64_t>> viewStrides(const std::vector<int64_t>& sizes,
                                                const std::vector<int64_t>& strides,
                                                const std::vector<int64_t>& newSizes) {
  std::vector<int64_t> newStrides(newSizes.size());
  auto next = static_cast<int64_t>(newSizes.size()) - 1;
  int64_t chunkStride = strides.empty() ? 1 : strides.back(), chunk = 1, covered = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    chunk *= sizes[i];
    const bool isChunkEnd = i == 0 || (sizes[i - 1] != 1 && strides[i - 1] != chunk * chunkStride);
    if (!isChunkEnd) continue;
    while (next >= 0 && (covered < chunk || newSizes[static_cast<size_t>(next)] == 1)) {
      newStrides[static_cast<size_t>(next)] = covered * chunkStride;
      covered *= newSizes[static_cast<size_t>(next--)];
    }
    if (covered != chunk) return std::nullopt;
    if (i > 0) {
      chunkStride = strides[i - 1];
      chunk = covered = 1;
    }
  }
  if (next != -1) return std::nullopt;
  return newStrides;
}

}  // namespace

std::vector<Index> reshapedCoordinates(std::span<const Index> from, std::span<const Index> to,
                                       std::span<const Index> at, const IndexRanges& ranges) {
  std::vector<Index> coordinates(from.size());
  for (const Group& group : groupsOf(from, to)) {
    const auto toCount = group.toEnd - group.toBegin, fromCount = group.fromEnd - group.fromBegin;
    const Index position =
        linearized(at.subspan(group.toBegin, toCount), to.subspan(group.toBegin, toCount));
    const auto inGroup = delinearized(position, from.subspan(group.fromBegin, fromCount), ranges);
    std::copy(inGroup.begin(), inGroup.end(),
              coordinates.begin() + static_cast<std::ptrdiff_t>(group.fromBegin));
  }
  return coordinates;
}

bool isViewable(const TensorType& source, const TensorType& result,
                const std::vector<int64_t>& hints) {
  const auto sizes = numbersOf(source.sizes, hints), newSizes = numbersOf(result.sizes, hints);
  const auto strides = numbersOf(source.strides, hints);
  // Without elements every shape is a view of every other.
  if (std::count(sizes.begin(), sizes.end(), 0) > 0) return true;
  const auto expected = viewStrides(sizes, strides, newSizes);
  return expected && *expected == numbersOf(result.strides, hints) &&
         source.storageOffset.evaluate(hints) == result.storageOffset.evaluate(hints);
}

}  // namespace jitscope::compiler
