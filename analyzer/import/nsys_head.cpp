#include <algorithm>
#include <array>

#include "analyzer/import/nsys_import.h"

namespace jitscope::analyzer {

bool isNsysExport(std::string_view head) {
  constexpr std::array<std::string_view, 4> kTables{"CUPTI_ACTIVITY_KIND_", "NVTX_EVENTS",
                                                    "StringIds", "TARGET_INFO_"};
  return head.starts_with("SQLite format 3") &&
         std::any_of(kTables.begin(), kTables.end(), [&](std::string_view table) {
           return head.find(table) != std::string_view::npos;
         });
}

}  // namespace jitscope::analyzer
