#pragma once

#include <optional>
#include <string>

#include "trace/result.h"

namespace jitscope::collector {

/// Where a shell would find `word`: as it is when it has a slash, else in the folders of PATH.
/// Empty when there is no such file.
std::string findProgram(const std::string& word);

/// Why no library can be preloaded into the program at `path`, in words that go on from "PATH ";
/// none when one can be, or when it cannot be told. A script is as its interpreter is.
std::optional<std::string> whyNotPreloadable(const std::string& path);

}  // namespace jitscope::collector
