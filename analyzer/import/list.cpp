#include <algorithm>
#include <array>

#include "analyzer/import/chrome_trace.h"
#include "analyzer/import/importer.h"
#include "analyzer/import/nsys_import.h"
#include "analyzer/import/text_log_import.h"
#include "analyzer/import/torch_trace_import.h"
#include "analyzer/import/torch_trace_reader.h"

namespace jitscope::analyzer {
namespace {

constexpr std::array kImporters{
    Importer{"Chrome trace", isChromeTrace, importChromeTrace, false},
    Importer{"Nsight Systems export", isSqliteFile, importNsys, false},
    Importer{"TORCH_TRACE log", looksLikeTorchTrace, importTorchTrace},
    // Last, for a log may begin with anything that is text.
    Importer{"TORCH_LOGS text", looksLikeTextLog, importTextLog},
};

}  // namespace

std::span<const Importer> importers() { return kImporters; }

bool tellsCompiles(const Input& input) {
  if (input.format == kForeignInput) return false;
  return std::none_of(kImporters.begin(), kImporters.end(), [&](const Importer& each) {
    return each.format == input.format && !each.tellsCompiles;
  });
}

}  // namespace jitscope::analyzer
