#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// \file
/// The amounts that people write, the same in every command and in the window.
namespace jitscope::trace {

/// Reads "2 GiB", "128M", "500MB", "4096": bytes; K, M and G are powers of 1024. None for anything
/// else.
std::optional<uint64_t> parseSize(std::string_view text);

/// Reads "5", "1.5 s", "300ms", "20us", "7ns", "2m", "1h": nanoseconds; without a unit they are
/// seconds. None for anything else.
std::optional<int64_t> parseDuration(std::string_view text);

}  // namespace jitscope::trace
