#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "collector/record/arguments.h"
#include "trace/result.h"

namespace jitscope::collector {

/// Where the library to be preloaded is: beside this program in the build tree and where it is
/// installed. An error when it is missing, or where the loader could not read its path.
trace::Result<std::filesystem::path> injectLibrary();

/// The environment variables to be changed so that a program and what it starts are recorded into
/// `folder` as `arguments` wants it, in these `windows` (see planText; empty: all the time). What
/// the user set is kept. Call only when `injectLibrary` gave no error.
std::map<std::string, std::string> preloadChanges(const std::filesystem::path& folder,
                                                  const RecordArguments& arguments,
                                                  const std::string& windows);

/// The library that the user has CUDA load already, so that kernels cannot be recorded; empty when
/// there is none.
std::string otherCudaInjection();

/// The same of NVTX, whose ranges then cannot be seen.
std::string otherNvtxInjection();

}  // namespace jitscope::collector
