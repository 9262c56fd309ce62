// Runs a few operators of LibTorch, each for a claim of operators_test.cpp.
//
//   operators                   all of them
//   operators fork              the same in a forked child, after one in the parent
//   operators measure COUNT     nanoseconds for each of COUNT small operators, on standard output
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/record_function.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>

#include "trace/clock.h"

namespace {

void runAll() {
  const at::Tensor x = at::ones({4, 16}).requires_grad_(true);
  const at::Tensor w = at::ones({16, 8});
  at::relu(at::matmul(x, w)).sum().backward();
  at::cat({x, x});
  {
    RECORD_USER_SCOPE("request");
    at::add(w, 1);
  }
  try {
    at::matmul(at::ones({2, 3}), at::ones({2, 3}));
  } catch (const std::exception&) {
    std::puts("refused");
  }
  std::thread([] { at::add(at::ones({2, 3}), 1); }).join();
  at::add(at::ones({}), 1);
}

int runInChild() {
  at::add(at::ones({7}), 1);
  const pid_t child = fork();
  if (child == 0) {
    runAll();
    return 0;
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

int measure(long count) {
  const at::Tensor x = at::ones({16});
  for (long index = 0; index < 1000; ++index) at::add(x, x);
  const int64_t startNs = jitscope::trace::nowNs();
  for (long index = 0; index < count; ++index) at::add(x, x);
  const int64_t durationNs = jitscope::trace::nowNs() - startNs;
  std::printf("%.1f\n", static_cast<double>(durationNs) / static_cast<double>(count));
  return 0;
}

}  // namespace

int main(int argumentCount, char** arguments) {
  if (argumentCount == 1) {
    runAll();
    return 0;
  }
  if (std::strcmp(arguments[1], "fork") == 0) return runInChild();
  return measure(std::atol(arguments[2]));
}
