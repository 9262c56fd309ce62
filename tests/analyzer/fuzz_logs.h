#pragma once

#include <string_view>

namespace jitscope::analyzer {

/// Reads any bytes as a log of TORCH_TRACE, in blocks whose size the first byte decides, and aborts
/// when something that always holds does not.
void readAsTorchTrace(std::string_view bytes);

/// As text of TORCH_LOGS, likewise.
void readAsTextLog(std::string_view bytes);

/// As both.
void readAnyLog(std::string_view bytes);

}  // namespace jitscope::analyzer
