#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "analyzer/import/import.h"
#include "analyzer/import/input_bytes.h"

namespace jitscope::analyzer {

/// Reads all of `bytes` in blocks. That they end too early is told to `result`.
void readLog(InputBytes& bytes, Import& result, const std::function<void(std::string_view)>& take);

/// When a file was last written, in nanoseconds since the Unix epoch; 0 when that is not known.
int64_t fileTimeNs(const std::filesystem::path& path);

}  // namespace jitscope::analyzer
