#pragma once

/// \file
/// What the launcher and the library inside a recorded process agree on: names, nothing else.
namespace jitscope::collector {

/// Environment variable: absolute path of the folder into which each process puts its trace file.
/// Processes without it record nothing.
inline constexpr const char* kFolderVariable = "JITSCOPE_RECORD_FOLDER";

/// The library that is preloaded into each process.
inline constexpr const char* kInjectLibrary = "libjitscope_inject.so";

/// The library that observes LibTorch; it stands in the same folder as the preloaded one.
inline constexpr const char* kTorchLibrary = "libjitscope_torch.so";

/// The library that records what the GPU does; it stands beside the others.
inline constexpr const char* kCuptiLibrary = "libjitscope_cupti.so";

/// Environment variable by which the driver finds what it is to load when CUDA starts.
inline constexpr const char* kCudaInjectionVariable = "CUDA_INJECTION64_PATH";

/// Environment variable by which NVTX finds what it is to load when the program marks a range.
inline constexpr const char* kNvtxInjectionVariable = "NVTX_INJECTION64_PATH";

/// Environment variable: `graph` for one row for each launch of a CUDA graph, else one for each of
/// its nodes.
inline constexpr const char* kGraphLevelVariable = "JITSCOPE_GRAPH_LEVEL";

/// Environment variable: `sampled` to sample the counters of the GPU's memory traffic, `exact` to
/// count the bytes of each kernel and record nothing else of the GPU.
inline constexpr const char* kTrafficVariable = "JITSCOPE_TRAFFIC";

/// How the losses begin that tell why kernels were not recorded, and why traffic was not sampled.
inline constexpr const char* kUnrecordedText = "kernels are not recorded: ";
inline constexpr const char* kUnsampledText = "memory traffic is ";

/// How the loss begins that tells why kernels were not counted.
inline constexpr const char* kUncountedText = "kernels are not counted: ";

/// Environment variable: when the processes are recorded, as windows/plan.h has it in one line.
inline constexpr const char* kWindowsVariable = "JITSCOPE_WINDOWS";

/// The library and the package that speak for Python's torch.compile; they stand beside the others.
inline constexpr const char* kPythonLibrary = "libjitscope_python.so";
inline constexpr const char* kPythonPackage = "jitscope_hook";

/// End of a trace file's name.
inline constexpr const char* kTraceSuffix = ".jitscope";

}  // namespace jitscope::collector
