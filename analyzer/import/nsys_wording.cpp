#include "analyzer/import/nsys_wording.h"

#include "analyzer/load/valid_time.h"

namespace jitscope::analyzer {

trace::CopyKind copyKindOf(int64_t kind) {
  switch (kind) {  // CUpti_ActivityMemcpyKind
    case 1:
      return trace::CopyKind::kHostToDevice;
    case 2:
      return trace::CopyKind::kDeviceToHost;
    case 8:
      return trace::CopyKind::kDeviceToDevice;
    case 9:
      return trace::CopyKind::kHostToHost;
    case 10:
      return trace::CopyKind::kPeer;
    default:
      return trace::CopyKind::kUnknown;
  }
}

std::string_view waitName(int64_t kind) {
  switch (kind) {  // CUpti_ActivitySynchronizationType
    case 1:
      return "event";
    case 2:
      return "stream wait event";
    case 3:
      return "stream";
    case 4:
      return "context";
    default:
      return "unknown";
  }
}

std::string_view withoutVersion(std::string_view name) {
  const size_t at = name.rfind("_v");
  const bool isVersion = at != std::string_view::npos && at + 2 < name.size() &&
                         name.find_first_not_of("0123456789", at + 2) == std::string_view::npos;
  return isVersion ? name.substr(0, at) : name;
}

NvtxRange nvtxRangeOf(std::string_view text) {
  NvtxRange range{text};
  for (const std::string_view part : {", seq = ", ", op_id = ", ", sizes = "})
    range.name = range.name.substr(0, range.name.find(part));
  constexpr std::string_view kSequence = ", seq = ";
  const size_t at = text.find(kSequence);
  if (at == std::string_view::npos) return range;
  range.sequence = 0;
  for (const char letter : text.substr(at + kSequence.size())) {
    if (letter < '0' || letter > '9' || range.sequence > kLatestNs / 10) break;
    range.sequence = 10 * range.sequence + (letter - '0');
  }
  return range;
}

}  // namespace jitscope::analyzer
