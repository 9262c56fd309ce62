// A plain CUDA program with work that is known to the byte, to be recorded. Its arguments are
// steps:
//   launch N            N kernels that do nothing, waited for; prints how long each took
//   enqueue N           the same without waiting
//   copy MIB TIMES      copies of that size by a kernel, back and forth
//   memcpy MIB TIMES    the same by the driver
//   upload MIB          from the host, and back to it
//   graph NODES TIMES   a graph of so many kernels and a memset, replayed and waited for
//   batches N COUNT     as many times N kernels that do nothing, waited for, with 10 ms between;
//                       prints when each began and had ended, in nanoseconds since the Unix epoch
//   profiler on|off     cuProfilerStart, cuProfilerStop
//   step                jitscope_step
//   sync                waits for the GPU
//   sleep MS, exit S, _exit S, kill
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "collector/control.h"
#include "tests/gpu/cuda_driver.h"

namespace {

using jitscope::tests::CudaDevice;
using jitscope::tests::must;

int64_t nowNs(clockid_t clock = CLOCK_MONOTONIC) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

/// The steps, and the memory that some of them need.
class Work {
 public:
  void run(std::string_view step, long first, long second);

 private:
  void copy(size_t sizeBytes, long times, bool byKernel);
  void upload(size_t sizeBytes);
  void graph(int nodes, long times);
  void batches(long size, long count);
  CUdeviceptr memory(size_t sizeBytes);

  CudaDevice gpu_ = jitscope::tests::startCuda();
};

CUdeviceptr Work::memory(size_t sizeBytes) {
  CUdeviceptr place = 0;
  must(gpu_.driver.allocate(&place, sizeBytes), "cuMemAlloc");
  return place;
}

void Work::copy(size_t sizeBytes, long times, bool byKernel) {
  CUdeviceptr from = memory(sizeBytes);
  CUdeviceptr to = memory(sizeBytes);
  for (long i = 0; i < times; ++i) {
    if (byKernel) {
      gpu_.launchCopy(from, to, sizeBytes);
    } else {
      must(gpu_.driver.copyOnDevice(to, from, sizeBytes, gpu_.stream), "cuMemcpyDtoDAsync");
    }
    std::swap(from, to);
  }
}

void Work::upload(size_t sizeBytes) {
  std::vector<char> host(sizeBytes, 1);
  const CUdeviceptr place = memory(sizeBytes);
  must(gpu_.driver.copyToDevice(place, host.data(), sizeBytes), "cuMemcpyHtoD");
  must(gpu_.driver.copyToHost(host.data(), place, sizeBytes), "cuMemcpyDtoH");
}

void Work::graph(int nodes, long times) {
  const CUgraphExec ready = gpu_.captureGraph(nodes, memory(64));
  for (long i = 0; i < times; ++i) {
    must(gpu_.driver.launchGraph(ready, gpu_.stream), "cuGraphLaunch");
  }
}

void Work::batches(long size, long count) {
  for (long batch = 0; batch < count; ++batch) {
    const int64_t startNs = nowNs(CLOCK_REALTIME);
    for (long i = 0; i < size; ++i) gpu_.launchNothing();
    must(gpu_.driver.synchronizeStream(gpu_.stream), "cuStreamSynchronize");
    std::printf("batch %lld %lld\n", static_cast<long long>(startNs),
                static_cast<long long>(nowNs(CLOCK_REALTIME)));
    usleep(10'000);
  }
}

void Work::run(std::string_view step, long first, long second) {
  constexpr size_t kMebibyte = size_t{1} << 20;
  if (step == "launch") {
    const int64_t startNs = nowNs();
    for (long i = 0; i < first; ++i) gpu_.launchNothing();
    must(gpu_.driver.synchronizeStream(gpu_.stream), "cuStreamSynchronize");
    std::printf("launch %ld: %.1f ns each\n", first,
                static_cast<double>(nowNs() - startNs) / static_cast<double>(first));
  }
  if (step == "enqueue") {
    for (long i = 0; i < first; ++i) gpu_.launchNothing();
  }
  if (step == "copy") copy(static_cast<size_t>(first) * kMebibyte, second, true);
  if (step == "memcpy") copy(static_cast<size_t>(first) * kMebibyte, second, false);
  if (step == "upload") upload(static_cast<size_t>(first) * kMebibyte);
  if (step == "graph") {
    const int64_t startNs = nowNs();
    graph(static_cast<int>(first), second);
    must(gpu_.driver.synchronizeStream(gpu_.stream), "cuStreamSynchronize");
    std::printf("graph %ld x %ld: %.1f ns a node\n", first, second,
                static_cast<double>(nowNs() - startNs) / static_cast<double>(first * second));
  }
  if (step == "batches") batches(first, second);
  if (step == "on") must(gpu_.driver.startProfiler(), "cuProfilerStart");
  if (step == "off") must(gpu_.driver.stopProfiler(), "cuProfilerStop");
  if (step == "step") jitscope_step();
  if (step == "sync") must(gpu_.driver.synchronize(), "cuCtxSynchronize");
  if (step == "sleep") usleep(static_cast<useconds_t>(first) * 1000);
  std::fflush(stdout);
  if (step == "exit") std::exit(static_cast<int>(first));
  if (step == "_exit") _exit(static_cast<int>(first));
  if (step == "kill") kill(getpid(), SIGKILL);
}

}  // namespace

int main(int argumentCount, char** arguments) {
  Work work;
  const auto number = [&](int at) { return at < argumentCount ? std::atol(arguments[at]) : 0; };
  for (int i = 1; i < argumentCount; ++i) work.run(arguments[i], number(i + 1), number(i + 2));
  return 0;
}
