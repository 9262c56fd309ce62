// Plays a CUDA program where there is no GPU: does what the driver does when CUDA starts, and has
// the fake CUPTI make records. Its arguments are steps:
//   init          CUDA starts: what CUDA_INJECTION64_PATH names is loaded and called
//   launch N      N launches
//   launch-late N the same of kernels that run long after
//   launch-once N the same of another kernel, but not where kernels are counted; launch-again N
//                 only there
//   launch-graph N one launch of a CUDA graph of N kernels
//   kill-again    the program ends itself where kernels are counted
//   profiler-start, profiler-stop   as by cudaProfilerStart and cudaProfilerStop
//   fork          the rest is done by a child, too
//   sleep MS, return S, exit S, _exit S, kill
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

using Launch = void(const char*, uint32_t, int);

void startCuda() {
  const char* path = std::getenv("CUDA_INJECTION64_PATH");
  void* library = path ? dlopen(path, RTLD_NOW) : nullptr;
  void* start = library ? dlsym(library, "InitializeInjection") : nullptr;
  if (start) reinterpret_cast<int (*)()>(start)();
}

uint32_t correlation = 0;

void launch(int count, int isLate, const char* kernel = nullptr) {
  void* cupti = dlopen("libcupti.so.13", RTLD_NOW);
  const auto make =
      cupti ? reinterpret_cast<Launch*>(dlsym(cupti, "jitscope_fake_cuda_launch")) : nullptr;
  if (!make) std::abort();
  for (int i = 0; i < count; ++i) {
    const char* own = i % 2 ? "_Z3addPf" : "triton_fused_add_0";
    make(kernel ? kernel : own, ++correlation, isLate);
  }
}

void launchGraph(int kernels) {
  void* cupti = dlopen("libcupti.so.13", RTLD_NOW);
  void* make = cupti ? dlsym(cupti, "jitscope_fake_cuda_launch_graph") : nullptr;
  if (!make) std::abort();
  reinterpret_cast<void (*)(int, uint32_t)>(make)(kernels, ++correlation);
}

void turnProfiler(int isOn) {
  void* cupti = dlopen("libcupti.so.13", RTLD_NOW);
  void* turn = cupti ? dlsym(cupti, "jitscope_fake_cuda_profiler") : nullptr;
  if (!turn) std::abort();
  reinterpret_cast<void (*)(int)>(turn)(isOn);
}

}  // namespace

int main(int argumentCount, char** arguments) {
  for (int i = 1; i < argumentCount; ++i) {
    const std::string_view step = arguments[i];
    const char* next = i + 1 < argumentCount ? arguments[i + 1] : "";
    if (step == "init") startCuda();
    if (step == "launch") launch(std::atoi(next), 0);
    if (step == "launch-graph") launchGraph(std::atoi(next));
    if (step == "launch-late") launch(std::atoi(next), 1);
    const char* traffic = std::getenv("JITSCOPE_TRAFFIC");
    const bool isCounted = traffic && std::string_view(traffic) == "exact";
    if (step == (isCounted ? "launch-again" : "launch-once"))
      launch(std::atoi(next), 0, isCounted ? "again" : "once");
    if (step == "kill-again" && isCounted) kill(getpid(), SIGTERM);
    if (step == "profiler-start") turnProfiler(1);
    if (step == "profiler-stop") turnProfiler(0);
    if (step == "sleep") usleep(static_cast<useconds_t>(std::atoi(next)) * 1000);
    if (step == "return") return std::atoi(next);
    if (step == "exit") std::exit(std::atoi(next));
    if (step == "_exit") _exit(std::atoi(next));
    if (step == "kill") kill(getpid(), SIGKILL);
    if (step == "fork") {
      const pid_t child = fork();
      if (child != 0) waitpid(child, nullptr, 0);
    }
  }
  std::puts("done");
  return 0;
}
