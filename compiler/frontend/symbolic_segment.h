#pragma once

#include <span>
#include <string>
#include <vector>

#include "compiler/frontend/program_state.h"
#include "compiler/frontend/segment_graph.h"
#include "compiler/frontend/segment_tree.h"

namespace jitscope::compiler {

/// Puts the expressions of a generalised graph into the segment that it was made of.
void applyExpressions(Segment& segment, const SegmentGraph& general);

/// Everything that was learned, with sizes and integers as they are for these symbol values.
ProgramState::Learned atSizes(const ProgramState::Learned& learned,
                              std::span<const int64_t> symbols);

/// Explains newly captured segments by an earlier capture of the same user code at other sizes.
class SampleWalk {
 public:
  /// `values` are the program's symbols in the call that `sample` was captured in. Without sample
  /// expressions are guessed.
  SampleWalk(const ProgramState& state, std::shared_ptr<const ProgramState::Learned> sample,
             std::vector<int64_t> values);

  /// Gives the next captured segment its expressions. False when the sample does not explain it.
  bool generalizeNext(Segment& segment, std::span<const int64_t> symbols);

  /// Why it failed first; empty when it did not.
  const std::string& failure() const { return failure_; }

 private:
  SegmentGraph concreteGraph(const Segment& segment, std::span<const int64_t> symbols) const;

  const ProgramState& state_;
  std::shared_ptr<const ProgramState::Learned> sample_;
  std::vector<int64_t> values_;
  int node_ = TreeNode::kRoot;
  std::string failure_;
};

}  // namespace jitscope::compiler
