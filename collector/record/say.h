#pragma once

#include <string_view>

namespace jitscope::collector {

/// Writes `jitscope: TEXT` as one line to standard error, whatever stands in TEXT: control
/// characters (a file's name may hold any) become `?`. A standard error that is closed, full or
/// read by nobody changes nothing for the caller, nor for the program that runs.
void say(std::string_view text) noexcept;

}  // namespace jitscope::collector
