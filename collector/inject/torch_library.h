#pragma once

#include <string>

namespace jitscope::collector {

/// The LibTorch of this process.
struct TorchLibrary {
  std::string path;     ///< of libtorch_cpu.so; empty when it is not loaded
  std::string version;  ///< as its package states it, e.g. "2.11.0+cu130"; empty when not known
};

/// Looks for it among the libraries that are loaded now.
TorchLibrary torchLibrary();

/// Lets the operators of LibTorch be recorded as soon as LibTorch is loaded. Does nothing when it
/// is not, or when it has been done; cheap then. Not to be called from a library's constructor.
/// What stands in the way becomes a row of the loss table.
void observeTorch() noexcept;

}  // namespace jitscope::collector
