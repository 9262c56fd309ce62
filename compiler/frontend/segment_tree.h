#pragma once

#include <map>
#include <memory>
#include <vector>

#include "compiler/backend.h"
#include "compiler/frontend/segment.h"
#include "compiler/frontend/segment_graph.h"

namespace jitscope::compiler {

/// What a backend made of a segment.
struct CompiledSegment {
  SegmentGraph graph;
  CompiledGraph call;
  ModeState startModes;  ///< that the graph must be called in
};

/// A segment and what is known about going on after it.
struct TreeNode {
  static constexpr int kRoot = -1;

  std::shared_ptr<const Segment> segment;
  std::vector<bool> isOutput;  ///< of each of the segment's values: needed outside of it
  std::shared_ptr<const CompiledSegment> compiled;  ///< null until it is first needed
  int parent = kRoot;
  std::vector<int> children;  ///< in the order of their capture

  /// The values that a compiled graph must give.
  std::vector<ValueRef> outputs() const;
};

/// All operator streams that a program has seen, as a trie of segments. Copied before it is
/// changed; node numbers stay valid in the copy.
class SegmentTree {
 public:
  const TreeNode& node(int number) const { return nodes_[static_cast<size_t>(number)]; }
  TreeNode& node(int number) { return nodes_[static_cast<size_t>(number)]; }
  size_t size() const { return nodes_.size(); }
  const std::vector<int>& childrenOf(int number) const {
    return number == TreeNode::kRoot ? roots_ : node(number).children;
  }

  int add(int parent, Segment segment, std::vector<bool> isOutput);

  /// Ends a segment before its operator at `position`; the rest becomes its only child.
  /// `isNeeded` are the values of the first part that user code holds there.
  void split(int number, size_t position, const std::vector<bool>& isNeeded);

 private:
  std::vector<TreeNode> nodes_;
  std::vector<int> roots_;
};

}  // namespace jitscope::compiler
