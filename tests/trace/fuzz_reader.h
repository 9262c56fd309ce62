#pragma once

#include <cstddef>
#include <cstdint>

/// Reads the bytes as a trace file, all of it; stops the program when the reader contradicts
/// itself. The entry of the fuzzer, and of the tests that replay what it found.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
