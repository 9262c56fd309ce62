// Random programs: compiled, they do over several calls what they do eagerly, bit for bit.
#include "tests/compiler/random_program.h"

#include <gtest/gtest.h>

#include <utility>

namespace jitscope::compiler {
namespace {

constexpr int kSlices = 20;
#ifdef __SANITIZE_ADDRESS__
constexpr int kProgramsPerSlice = 10;
#else
constexpr int kProgramsPerSlice = 100;
#endif

class RandomPrograms : public testing::TestWithParam<int> {};

TEST_P(RandomPrograms, DoAsEager) {
  for (int i = 0; i < kProgramsPerSlice; ++i) {
    const auto program =
        RandomProgram::generate(static_cast<uint64_t>(GetParam() * kProgramsPerSlice + i));
    SCOPED_TRACE(program.text());
    Tensors kept;
    MadeTensors made;
    int lastCall = 0;
    const auto startCall = [&](int call) {
      kept.clear();
      if (call != std::exchange(lastCall, call)) made.freeHistories();
    };
    expectSameAsEager({.make =
                           [&] {
                             return Function([&](const Tensors& inputs) {
                               return program.run(inputs, kept, made);
                             });
                           },
                       .inputs = [&](int call) { return program.inputs(call); },
                       .calls = 6,
                       .before = startCall,
                       .kept = [&] { return kept; }});
    kept.clear();
    made.freeHistories();
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Slices, RandomPrograms, testing::Range(0, kSlices));

}  // namespace
}  // namespace jitscope::compiler
