#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.h"

/// The entry of libFuzzer. One source for all fuzzers: which target it runs is told when it is
/// compiled.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  jitscope::fuzz::JITSCOPE_FUZZ_TARGET({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
