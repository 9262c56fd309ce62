#pragma once

#include <string_view>

namespace jitscope::analyzer {

/// Input::format of a file of ours.
inline constexpr std::string_view kRecordingFormat = "jitscope recording";

}  // namespace jitscope::analyzer
