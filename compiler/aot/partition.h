#pragma once

#include <vector>

#include "compiler/aot/joint_graph.h"
#include "compiler/aot/sub_graph.h"

namespace jitscope::compiler {

/// A joint graph in the parts that run apart.
struct Partition {
  /// Values of the joint graph that wait for the backward pass. Primals among them are those that
  /// autograd would have saved too: a later write to them is an error in both.
  std::vector<ValueId> saved;
  /// Takes primals and constants; wanted of it are the forward outputs, then the saved values.
  SubGraph forward;
  /// For each part of the joint graph: takes the saved values, constants and tangents; wanted are
  /// the gradients that are not kNone.
  std::vector<SubGraph> backward;
};

/// Cuts the graph where least has to be kept for the backward pass, as AOTAutograd does
/// (torch/_functorch/partitioners.py: min_cut_rematerialization_partition): what is cheap and
/// follows from what is kept is computed again. Never computed again: random numbers, libraries'
/// work, operators that make much less than they read.
Partition partition(const JointGraph& joint);

/// The values of the forward part that the backward part reads as it was traced: what autograd
/// would keep.
std::vector<ValueId> savedByAutograd(const JointGraph& joint);

}  // namespace jitscope::compiler
