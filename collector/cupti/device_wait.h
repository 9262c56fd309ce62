#pragma once

#include <cuda.h>

#include <mutex>
#include <vector>

namespace jitscope::collector {

/// The driver's functions that are called; a test puts its own here.
struct DriverApi {
  CUresult (*setCurrent)(CUcontext) = nullptr;
  CUresult (*synchronize)() = nullptr;
  CUresult (*isCapturing)(CUstream, CUstreamCaptureStatus*) = nullptr;
  CUresult (*getCurrent)(CUcontext*) = nullptr;
};

/// Looks them up in the driver of this process; null members when there is none.
DriverApi findDriver();

/// Waits until the GPU has done what the program gave it, so that the last records are whole. Any
/// thread.
class DeviceWait {
 public:
  explicit DeviceWait(DriverApi driver) : driver_(driver) {}

  void add(CUcontext context) noexcept;
  void remove(CUcontext context) noexcept;

  /// Waits for all contexts, on a thread of its own: a kernel may run for ever. False when time ran
  /// out or it could not be tried; that thread then goes on waiting until the process ends.
  bool wait(int patienceMs) noexcept;

 private:
  DriverApi driver_;
  std::mutex mutex_;
  std::vector<CUcontext> contexts_;
};

}  // namespace jitscope::collector
