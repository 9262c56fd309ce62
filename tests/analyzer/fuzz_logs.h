#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jitscope::analyzer {

/// Reads any bytes as both kinds of log, in blocks whose size the first byte decides, and aborts
/// when something that always holds does not.
void readAnyLog(std::string_view bytes);

}  // namespace jitscope::analyzer
