#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string_view>

namespace jitscope::analyzer {

/// How PyTorch names a compilation: `F/C`, with compiled autograd in front `!A/F/C`, for the
/// capture of autograd itself `!A`, before 2.7 `!A/-/-`. What is not told is -1.
struct TorchCompileId {
  int64_t autograd = -1, frame = -1, attempt = -1;

  bool isTold() const { return frame >= 0 && attempt >= 0; }
  // NOLINTNEXTLINE(modernize-use-nullptr): taken for a comparison of pointers
  auto operator<=>(const TorchCompileId&) const = default;
};

/// Reads an id as logs write it in brackets, with or without the count of restarts behind it:
/// `0/1`, `0/1_2`, `!0/1/0`, `!0`.
std::optional<TorchCompileId> parseTorchCompileId(std::string_view text);

/// Takes an id and a colon off the front of `text`: the `0/1: ` of a guard failure. None when
/// there is none.
std::optional<TorchCompileId> takeTorchCompileId(std::string_view& text);

}  // namespace jitscope::analyzer
