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

/// The library and the package that speak for Python's torch.compile; they stand beside the others.
inline constexpr const char* kPythonLibrary = "libjitscope_python.so";
inline constexpr const char* kPythonPackage = "jitscope_hook";

/// End of a trace file's name.
inline constexpr const char* kTraceSuffix = ".jitscope";

}  // namespace jitscope::collector
