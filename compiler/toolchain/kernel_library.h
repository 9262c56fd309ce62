#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/loops/loop_program.h"
#include "trace/result.h"

namespace jitscope::compiler {

/// A kernel that can be launched, with what its caller has to hand it.
struct KernelEntry {
  std::string name;
  std::vector<BufferId> buffers;  ///< whose memory it takes, in this order
};

/// Where and how kernels are to run.
struct LaunchPlace {
  int threads = 1;         ///< on a processor: at most so many
  void* stream = nullptr;  ///< on a GPU: the stream
};

/// The compiled kernels of one graph, for one kind of device. Safe from any thread.
class KernelLibrary {
 public:
  virtual ~KernelLibrary() = default;

  const std::vector<KernelEntry>& kernels() const { return kernels_; }
  const std::string& source() const { return source_; }

  /// Runs kernel `kernel` on `memory`, the addresses of its buffers, for sizes by `symbols`. On a
  /// GPU it is done when the stream has come to it.
  virtual trace::Result<void> launch(size_t kernel, std::span<void* const> memory,
                                     std::span<const int64_t> symbols,
                                     const LaunchPlace& place) const = 0;

 protected:
  std::vector<KernelEntry> kernels_;
  std::string source_;
};

/// Generates and compiles a kernel for each nest of `program`, in their order. Fails when the
/// machine has no compiler or it refuses the code.
trace::Result<std::shared_ptr<const KernelLibrary>> compileForProcessor(LoopProgram& program);
trace::Result<std::shared_ptr<const KernelLibrary>> compileForGpu(LoopProgram& program);

}  // namespace jitscope::compiler
