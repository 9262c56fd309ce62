#pragma once

#include <filesystem>
#include <functional>

#include "trace/result.h"

namespace jitscope::analyzer {

/// Makes a folder. The error says why only.
trace::Result<void> makeFolder(const std::filesystem::path& path);

/// Makes the folder `target`, which must not be there, and has `fill` fill it. It gets its name
/// when all is in it (UnfinishedTarget); errors begin with it.
trace::Result<void> writeFolder(
    const std::filesystem::path& target,
    const std::function<trace::Result<void>(const std::filesystem::path& folder)>& fill);

}  // namespace jitscope::analyzer
