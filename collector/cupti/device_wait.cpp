#include "collector/cupti/device_wait.h"

#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>

#include <exception>
#include <memory>

#include "collector/cupti/handshake.h"
#include "trace/quiet_thread.h"

namespace jitscope::collector {
namespace {

struct Waiting {
  DriverApi driver;
  std::vector<CUcontext> contexts;
  sem_t done{};
};

void* waitForContexts(void* argument) {
  // Shared with who asked, who may have given up by now.
  const std::unique_ptr<std::shared_ptr<Waiting>> waiting(
      static_cast<std::shared_ptr<Waiting>*>(argument));
  pthread_setname_np(pthread_self(), "jitscope-wait");
  for (CUcontext context : (*waiting)->contexts) {
    if ((*waiting)->driver.setCurrent(context) == CUDA_SUCCESS) (*waiting)->driver.synchronize();
  }
  sem_post(&(*waiting)->done);
  return nullptr;
}

}  // namespace

DriverApi findDriver() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (!library) return {};
  return {reinterpret_cast<CUresult (*)(CUcontext)>(dlsym(library, "cuCtxSetCurrent")),
          reinterpret_cast<CUresult (*)()>(dlsym(library, "cuCtxSynchronize")),
          reinterpret_cast<CUresult (*)(CUstream, CUstreamCaptureStatus*)>(
              dlsym(library, "cuStreamIsCapturing")),
          reinterpret_cast<CUresult (*)(CUcontext*)>(dlsym(library, "cuCtxGetCurrent"))};
}

void DeviceWait::add(CUcontext context) noexcept {
  try {
    const std::lock_guard lock(mutex_);
    contexts_.push_back(context);
  } catch (const std::exception&) {
    // No memory: this context will not be waited for.
  }
}

void DeviceWait::remove(CUcontext context) noexcept {
  const std::lock_guard lock(mutex_);
  std::erase(contexts_, context);
}

bool DeviceWait::wait(int patienceMs) noexcept {
  if (!driver_.setCurrent || !driver_.synchronize) return false;
  try {
    auto waiting = std::make_shared<Waiting>();
    waiting->driver = driver_;
    sem_init(&waiting->done, 0, 0);
    {
      const std::lock_guard lock(mutex_);
      waiting->contexts = contexts_;
    }
    if (waiting->contexts.empty()) return true;
    auto argument = std::make_unique<std::shared_ptr<Waiting>>(waiting);
    if (!trace::startQuietThread(waitForContexts, argument.get(), trace::kUsualStackBytes))
      return false;
    (void)argument.release();  // the thread's now
    return waitFor(waiting->done, patienceMs);
  } catch (const std::exception&) {
    return false;
  }
}

}  // namespace jitscope::collector
