#pragma once

#include <span>

#include "compiler/frontend/program_state.h"

namespace jitscope::compiler {

/// Has the backend compile the segment of a node, or takes what it made of an equal one. `outputs`
/// are the values that the graph shall give. Nothing is done for segments without operators or with
/// arguments that no graph can hold.
void compileSegment(const ProgramState& state, ProgramState::Learned& learned, int node,
                    std::vector<ValueRef> outputs, std::span<const at::Tensor> examples,
                    std::span<const int64_t> symbols, const ModeState* initialModes,
                    RunReport& report);

}  // namespace jitscope::compiler
