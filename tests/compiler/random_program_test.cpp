// Random programs: compiled, they do over several calls what they do eagerly, bit for bit, and
// leave no memory behind, with each backend. JITSCOPE_SEEDS=FIRST:COUNT runs others than the
// default ones, each with a check for leaks of its own; JITSCOPE_BACKEND=NAME with that backend.
#include "tests/compiler/random_program.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/compiler/kernel_names.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

namespace jitscope::compiler {
namespace {

constexpr int kSlices = 20;
#ifdef __SANITIZE_ADDRESS__
constexpr int kProgramsPerSlice = 10;
using LeaksAllowed = __lsan::ScopedDisabler;
bool hasLeaked() { return __lsan_do_recoverable_leak_check() != 0; }
#else
constexpr int kProgramsPerSlice = 100;
struct LeaksAllowed {
  LeaksAllowed() {}  // so that one that is only there is no unused variable
};
bool hasLeaked() { return false; }
#endif

/// Sums in another order and functions of another library, over some operators.
constexpr double kOfFusion = 1e-4;

void compareWithEager(const RandomProgram& program, const std::string& backend) {
  SCOPED_TRACE(program.text());
  Tensors kept;
  MadeTensors made;
  int lastCall = 0;
  expectSameAsEager({.make =
                         [&] {
                           return Function([&](const Tensors& inputs) {
                             return program.run(inputs, lastCall, kept, made);
                           });
                         },
                     .inputs = [&](int call) { return program.inputs(call); },
                     .makesInputsTwice = true,
                     .calls = RandomProgram::kCalls,
                     .before =
                         [&](int call) {
                           kept.clear();
                           lastCall = call;
                         },
                     .backend = backend,
                     .tolerance = backend == "fused" ? kOfFusion : 0,
                     .kept = [&] { return kept; }});
}

/// Runs the program of this seed; what LibTorch itself never frees is not held against us.
void checkSeed(uint64_t seed, const std::string& backend) {
  const auto program = RandomProgram::generate(seed);
  if (backend == "fused" && program.readsBits()) return;
  bool makesCycles = false;
  {
    const LeaksAllowed allowed;
    makesCycles = program.makesCycles();
    if (makesCycles) compareWithEager(program, backend);
  }
  if (!makesCycles) compareWithEager(program, backend);
}

class RandomPrograms : public testing::TestWithParam<int> {};
class RandomProgramsAheadOfTime : public testing::TestWithParam<int> {};
class RandomProgramsFused : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, DoAsEager) {
  for (int i = 0; i < kProgramsPerSlice && !HasFailure(); ++i) {
    const auto seed = static_cast<uint64_t>(GetParam() * kProgramsPerSlice + i);
    checkSeed(seed, "eager");
  }
  EXPECT_FALSE(hasLeaked());
}

TEST_P(RandomProgramsAheadOfTime, DoAsEager) {
  for (int i = 0; i < kProgramsPerSlice && !HasFailure(); ++i) {
    checkSeed(static_cast<uint64_t>(GetParam() * kProgramsPerSlice + i), "aot_eager");
  }
  EXPECT_FALSE(hasLeaked());
}

TEST_P(RandomProgramsFused, DoAsEager) {
  const KernelNames kernels;
  for (int i = 0; i < kProgramsPerSlice && !HasFailure(); ++i) {
    checkSeed(static_cast<uint64_t>(GetParam() * kProgramsPerSlice + i), "fused");
  }
  EXPECT_GT(kernels.names().size(), 10U) << "little was fused";
  EXPECT_FALSE(hasLeaked());
}

INSTANTIATE_TEST_SUITE_P(Slices, RandomProgramsFused, testing::Range(0, kSlices));

INSTANTIATE_TEST_SUITE_P(Slices, RandomProgramsAheadOfTime, testing::Range(0, kSlices));

INSTANTIATE_TEST_SUITE_P(Slices, RandomPrograms, testing::Range(0, kSlices));

TEST(RandomPrograms, OfOtherSeedsDoAsEager) {
  const char* seeds = std::getenv("JITSCOPE_SEEDS");
  if (seeds == nullptr) GTEST_SKIP() << "JITSCOPE_SEEDS is not set";
  const char* backend = std::getenv("JITSCOPE_BACKEND");
  char* rest = nullptr;
  const uint64_t first = std::strtoull(seeds, &rest, 10);
  const uint64_t count = *rest == ':' ? std::strtoull(rest + 1, nullptr, 10) : 1;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    checkSeed(seed, backend != nullptr ? backend : "eager");
    EXPECT_FALSE(hasLeaked()) << RandomProgram::generate(seed).text();
  }
}

}  // namespace
}  // namespace jitscope::compiler
