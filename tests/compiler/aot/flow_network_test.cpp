#include "compiler/aot/flow_network.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace jitscope::compiler {
namespace {

struct TestEdge {
  size_t from, to;
  int64_t capacity;
};

int64_t cutCapacity(const std::vector<TestEdge>& edges, const std::vector<bool>& isSourceSide) {
  int64_t sum = 0;
  for (const TestEdge& edge : edges) {
    if (isSourceSide[edge.from] && !isSourceSide[edge.to]) sum += edge.capacity;
  }
  return sum;
}

std::vector<bool> cutOf(size_t nodes, const std::vector<TestEdge>& edges) {
  FlowNetwork network(nodes);
  for (const TestEdge& edge : edges) network.addEdge(edge.from, edge.to, edge.capacity);
  return network.cut(0, 1);
}

/// The smallest capacity of all cuts, by trying each.
int64_t smallestCut(size_t nodes, const std::vector<TestEdge>& edges) {
  int64_t smallest = std::numeric_limits<int64_t>::max();
  for (size_t choice = 0; choice < (size_t{1} << (nodes - 2)); ++choice) {
    std::vector<bool> isSourceSide{true, false};
    for (size_t i = 0; i + 2 < nodes; ++i) isSourceSide.push_back((choice >> i) % 2 == 1);
    smallest = std::min(smallest, cutCapacity(edges, isSourceSide));
  }
  return smallest;
}

TEST(FlowNetwork, CutsWhereAChainIsThinnest) {
  const auto side = cutOf(5, {{0, 2, 9}, {2, 3, 4}, {3, 4, 6}, {4, 1, 8}});
  EXPECT_EQ(side, (std::vector<bool>{true, false, true, false, false}));
}

TEST(FlowNetwork, PrefersTheCutNearTheSink) {
  const auto side = cutOf(4, {{0, 2, 5}, {2, 3, 5}, {3, 1, 5}});
  EXPECT_EQ(side, (std::vector<bool>{true, false, true, true}));
}

TEST(FlowNetwork, LeavesUncuttableEdgesWhole) {
  const std::vector<TestEdge> edges{
      {0, 2, FlowNetwork::kUncuttable}, {2, 3, 100}, {3, 1, FlowNetwork::kUncuttable}};
  EXPECT_EQ(cutCapacity(edges, cutOf(4, edges)), 100);
}

TEST(FlowNetwork, SeparatesWhatIsNotConnected) {
  EXPECT_EQ(cutOf(3, {{0, 2, 1}}), (std::vector<bool>{true, false, true}));
}

TEST(FlowNetwork, FindsTheSmallestOfAllCuts) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const size_t nodes = 4 + random() % 6;
    std::vector<TestEdge> edges;
    for (size_t i = 0; i < 3 * nodes; ++i) {
      const size_t from = random() % nodes, to = random() % nodes;
      if (from != to) edges.push_back({from, to, static_cast<int64_t>(random() % 20)});
    }
    ASSERT_EQ(cutCapacity(edges, cutOf(nodes, edges)), smallestCut(nodes, edges))
        << "seed " << seed;
  }
}

TEST(FlowNetwork, IsDeepWithoutRecursion) {
  constexpr size_t kNodes = 200'000;
  FlowNetwork network(kNodes);
  network.addEdge(0, 2, 7);
  for (size_t i = 2; i + 1 < kNodes; ++i) network.addEdge(i, i + 1, 7);
  network.addEdge(kNodes - 1, 1, 3);
  EXPECT_TRUE(network.cut(0, 1)[kNodes - 1]);
}

}  // namespace
}  // namespace jitscope::compiler
