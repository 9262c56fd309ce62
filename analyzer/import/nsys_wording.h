#pragma once

#include <cstdint>
#include <string_view>

#include "trace/schema.h"

namespace jitscope::analyzer {

/// What a number of CUpti_ActivityMemcpyKind says.
trace::CopyKind copyKindOf(int64_t kind);

/// What a number of CUpti_ActivitySynchronizationType says: "stream", "event" and so on.
std::string_view waitName(int64_t kind);

/// "cudaLaunchKernel_v7000" as "cudaLaunchKernel".
std::string_view withoutVersion(std::string_view name);

/// "aten::mm, seq = 5, op_id = 9, sizes = …", as torch's emit_nvtx writes it, in its parts.
struct NvtxRange {
  std::string_view name;
  int64_t sequence = -1;  ///< -1: it has none
};

NvtxRange nvtxRangeOf(std::string_view text);

}  // namespace jitscope::analyzer
