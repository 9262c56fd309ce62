#pragma once

#include <cstddef>
#include <filesystem>

namespace jitscope::analyzer {

/// Writes a Chrome trace as torch.profiler writes it (layout, members and their order), of about
/// `bytes`: operators with shapes and stacks, Python functions, launches, kernels and arrows, in
/// the shares of a recorded training step. The same bytes for the same size. False when that
/// failed.
bool writeKinetoWorkload(const std::filesystem::path& path, size_t bytes);

}  // namespace jitscope::analyzer
