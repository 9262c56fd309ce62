#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jitscope::compiler {

/// A network of directed edges with capacities, and its minimum cut, by Dinic's algorithm (E. A.
/// Dinits, 1970): shortest augmenting paths, level by level, in O(V²E), near linear on the shallow
/// networks that graphs give.
class FlowNetwork {
 public:
  /// More than all finite capacities together may sum up to.
  static constexpr int64_t kUncuttable = int64_t{1} << 60;

  explicit FlowNetwork(size_t nodeCount) : edgesOf_(nodeCount) {}

  size_t addNode();
  void addEdge(size_t from, size_t to, int64_t capacity);

  /// Whether each node is on the source's side of the minimum cut that is nearest to the sink. To
  /// be called once. The edges from one side to the other are the cut.
  std::vector<bool> cut(size_t source, size_t sink);

 private:
  struct Edge {
    size_t to;
    int64_t left;  ///< of the capacity
  };

  bool findLevels(size_t source, size_t sink);
  int64_t augment(size_t source, size_t sink);

  std::vector<Edge> edges_;  ///< each followed by its reverse
  std::vector<std::vector<size_t>> edgesOf_;
  std::vector<int> levels_;
  std::vector<size_t> next_;  ///< of each node, the first edge that may still lead on
};

}  // namespace jitscope::compiler
