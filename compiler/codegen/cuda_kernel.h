#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compiler/loops/loop_program.h"

namespace jitscope::compiler {

/// A kernel for NVIDIA GPUs. Its parameters are a pointer for each buffer and a `long long` for
/// each symbol of the graph.
struct CudaKernel {
  std::string name;
  std::string code;                 ///< the function alone
  std::set<std::string> functions;  ///< of the prelude that it calls
  std::vector<BufferId> buffers;    ///< in the order of the parameters
  int threads = 256;                ///< of a block
  Index blocks;

  /// What its vectors need: addresses that are multiples of so many bytes, by buffer, and sizes
  /// that are multiples of so many elements. Where they are not, the kernel must not run.
  std::vector<int64_t> alignments;
  std::vector<std::pair<Index, int64_t>> multiples;
};

/// How a kernel is written.
struct CudaForm {
  int64_t vectorBytes = 16;   ///< that a thread takes at once; 0 for one element after the other
  int64_t rowRegisters = 64;  ///< that it may keep of a row between two passes; with fewer than the
                              ///< row needs, the row is read again
};

/// The kernel of a nest. Adds scalars to the program.
CudaKernel generateCuda(LoopProgram& program, const LoopNest& nest, size_t number,
                        const CudaForm& form = {});

/// One source of all these kernels, which includes nothing.
std::string cudaSource(const std::vector<CudaKernel>& kernels);

}  // namespace jitscope::compiler
