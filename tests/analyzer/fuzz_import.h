#pragma once

#include <cstddef>
#include <cstdint>

/// Loads the bytes as a file of whatever format they are, analyses the run and reports it; stops
/// the program when that contradicts itself. The entry of the fuzzer, and of the tests that replay
/// what it found.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);
