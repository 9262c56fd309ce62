#pragma once

#include <array>
#include <cstdint>

#include "trace/format/layout.h"

namespace jitscope::trace::write {

/// The header of a new file of this process.
std::array<uint8_t, sizeof(format::FileHeader)> newFileHeader();

}  // namespace jitscope::trace::write
