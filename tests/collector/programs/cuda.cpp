// Plays a CUDA program where there is no GPU: does what the driver does when CUDA starts, and has
// the fake CUPTI make records. Its arguments are steps:
//   init          CUDA starts: what CUDA_INJECTION64_PATH names is loaded and called
//   launch N      N launches
//   launch-late N the same of kernels that run long after
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

void launch(int count, int isLate) {
  static uint32_t correlation = 0;
  void* cupti = dlopen("libcupti.so.13", RTLD_NOW);
  const auto make =
      cupti ? reinterpret_cast<Launch*>(dlsym(cupti, "jitscope_fake_cuda_launch")) : nullptr;
  if (!make) std::abort();
  for (int i = 0; i < count; ++i)
    make(i % 2 ? "_Z3addPf" : "triton_fused_add_0", ++correlation, isLate);
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
    if (step == "launch-late") launch(std::atoi(next), 1);
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
