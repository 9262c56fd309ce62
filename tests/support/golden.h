#pragma once

#include <filesystem>
#include <string>

namespace jitscope::tests {

/// Expects `actual` to be the content of a golden file, given by its path from the repository's
/// root. With UPDATE_GOLDEN=1 in the environment the file is written instead.
void expectGolden(const std::filesystem::path& golden, const std::string& actual);

}  // namespace jitscope::tests
