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

/// End of a trace file's name.
inline constexpr const char* kTraceSuffix = ".jitscope";

}  // namespace jitscope::collector
