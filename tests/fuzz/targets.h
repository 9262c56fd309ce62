#pragma once

#include <array>
#include <string_view>

/// \file
/// What is fuzzed. Each target takes any bytes and stops the program when something that always
/// holds does not. The fuzzer of a target calls it; so do the tests, with what fuzzers have kept.
namespace jitscope::fuzz {

/// A trace of torch.profiler, plain or packed; packed otherwise too, so that all of it is unpacked.
void loadKineto(std::string_view bytes);

/// A log of TORCH_TRACE, in blocks of a size that the first byte decides and as a file.
void loadTorchTrace(std::string_view bytes);

/// The text of TORCH_LOGS, as above.
void loadTorchLogs(std::string_view bytes);

/// An export of Nsight Systems: the pages of a database.
void loadNsys(std::string_view bytes);

/// An export of Nsight Systems: the SQL that makes the database, with whatever schema.
void loadNsysSchema(std::string_view bytes);

/// A recording with the rows that the bytes stand for.
void loadRecording(std::string_view bytes);

/// The gate's configuration, and behind a zero byte its baseline.
void readGate(std::string_view bytes);

/// SQL over a small run.
void askQuery(std::string_view bytes);

struct Target {
  std::string_view name;  ///< of the fuzzer without `fuzz_`, and of its folder in tests/traces/fuzz
  void (*run)(std::string_view bytes);
};

/// All of them, but for the trace reader, which is a target of its own module.
inline constexpr std::array kTargets{Target{"kineto", loadKineto},
                                     Target{"torch_trace", loadTorchTrace},
                                     Target{"torch_logs", loadTorchLogs},
                                     Target{"nsys", loadNsys},
                                     Target{"nsys_schema", loadNsysSchema},
                                     Target{"recording", loadRecording},
                                     Target{"gate", readGate},
                                     Target{"query", askQuery}};

}  // namespace jitscope::fuzz
