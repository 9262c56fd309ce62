#pragma once

namespace jitscope::collector {

/// Ends what samples the GPU's counters and takes the records of what the GPU still does, since the
/// program is about to leave: once its exit handlers run it is too late. Records of later kernels
/// come all the same. Does nothing where CUDA was not started.
void quietGpu() noexcept;

}  // namespace jitscope::collector
