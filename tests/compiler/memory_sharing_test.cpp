#include "compiler/frames/memory_sharing.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <random>

namespace jitscope::compiler {
namespace {

using Tensors = std::vector<at::Tensor>;

Leaves leavesOf(const Tensors& tensors) {
  Leaves leaves;
  for (const at::Tensor& tensor : tensors) leaves.push_back(Leaf::of(tensor));
  return leaves;
}

bool shareStorage(const at::Tensor& left, const at::Tensor& right) {
  return left.defined() && right.defined() && left.has_storage() && right.has_storage() &&
         left.storage().is_alias_of(right.storage());
}

bool areOneObject(const at::Tensor& left, const at::Tensor& right) {
  return shareStorage(left, right) && left.is_same(right);
}

/// What MemorySharing::holds promises, pair by pair.
bool coincideAlike(const Tensors& left, const Tensors& right) {
  for (size_t i = 0; i < left.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (shareStorage(left[i], left[j]) != shareStorage(right[i], right[j])) return false;
      if (areOneObject(left[i], left[j]) != areOneObject(right[i], right[j])) return false;
    }
  }
  return true;
}

/// Few tensors out of a few storages, so that all ways to coincide come often.
TEST(MemorySharing, HoldsExactlyWhenEachPairCoincidesAsBefore) {
  std::mt19937 random(11);
  const Tensors bases = {at::ones({4}), at::ones({4}), at::ones({4})};
  const Tensors pool = {bases[0],           bases[1],     bases[2],      bases[0].slice(0, 0, 2),
                        bases[0].view({4}), at::Tensor(), at::ones({0}), at::eye(2).to_sparse()};
  const auto tensors = [&](size_t count) {
    Tensors picked;
    for (size_t i = 0; i < count; ++i) picked.push_back(pool[random() % pool.size()]);
    return picked;
  };
  int held = 0;
  for (int round = 0; round < 20'000; ++round) {
    const size_t count = 1 + random() % 5;
    const Tensors first = tensors(count), second = tensors(count);
    const MemorySharing sharing(leavesOf(first), count);
    const bool isAlike = coincideAlike(first, second);
    held += isAlike;
    ASSERT_EQ(sharing.holds(leavesOf(second)), isAlike) << "round " << round;
    ASSERT_TRUE(sharing.holds(leavesOf(first))) << "round " << round;
  }
  EXPECT_GT(held, 1000);
}

TEST(MemorySharing, FindsOnePairAmongManyTensors) {
  Tensors apart;
  for (int i = 0; i < 1500; ++i) apart.push_back(at::ones({1}));
  const MemorySharing sharing(leavesOf(apart), apart.size());
  EXPECT_TRUE(sharing.holds(leavesOf(apart)));
  Tensors shared = apart;
  shared[1400] = shared[3].view({1});
  EXPECT_FALSE(sharing.holds(leavesOf(shared)));
}

}  // namespace
}  // namespace jitscope::compiler
