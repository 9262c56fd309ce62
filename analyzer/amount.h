#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace jitscope::analyzer {

/// Reads "2 GiB", "500MB", "4096": bytes. None for anything else.
std::optional<uint64_t> parseSize(std::string_view text);

/// Reads "2s", "1.5 s", "300ms", "20us", "7ns": nanoseconds. None for anything else.
std::optional<int64_t> parseDuration(std::string_view text);

}  // namespace jitscope::analyzer
