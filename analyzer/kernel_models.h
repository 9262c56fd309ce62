#pragma once

#include <memory>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// What kernels read and write by the shapes of tensors. One of Inductor's has it from its buffers
/// in the code of its graph; one of LibTorch's from the operator that launched it, and nothing
/// else, by the operator's inputs. `run` must live as long.
class KernelModels {
 public:
  explicit KernelModels(const Run& run);
  ~KernelModels();

  /// In bytes, for each kernel of a process; -1 where that is not known. What the recorder said
  /// goes before.
  std::vector<int64_t> of(const Process& process);

 private:
  class Models;
  std::unique_ptr<Models> models_;
};

}  // namespace jitscope::analyzer
