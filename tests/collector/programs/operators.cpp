// Runs a few operators of LibTorch, each for a claim of operators_test.cpp.
//
//   operators                   all of them
//   operators fork              the same in a forked child, after one in the parent
//   operators measure COUNT     CPU nanoseconds for each of COUNT small operators, on standard
//   output
#include <ATen/core/Tensor.h>
#include <ATen/ops/add.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/record_function.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

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

// Of this thread alone, so that other programs on the machine count less.
int64_t cpuTimeNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

double nsOfOne(const at::Tensor& x, bool isObserved) {
  constexpr int kOperators = 500;
  const at::RecordFunctionGuard guard(isObserved);
  const int64_t startNs = cpuTimeNs();
  for (int index = 0; index < kOperators; ++index) at::add(x, x);
  return static_cast<double>(cpuTimeNs() - startNs) / kOperators;
}

double medianOf(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Observed and unobserved by turns: the machine's speed changes from one second to the next.
int measure(long turns) {
  const at::Tensor x = at::ones({16});
  std::vector<double> plain;
  std::vector<double> cost;
  for (long turn = 0; turn < turns; ++turn) {
    plain.push_back(nsOfOne(x, false));
    cost.push_back(nsOfOne(x, true) - plain.back());
  }
  std::printf("%.1f %.1f\n", medianOf(plain), medianOf(cost));
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
