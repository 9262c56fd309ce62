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
    Importer{"Chrome trace", isChromeTrace, importChromeTrace},
    Importer{"Nsight Systems export", isNsysExport, importNsys},
    Importer{"TORCH_TRACE log", looksLikeTorchTrace, importTorchTrace},
    // Last, for a log may begin with anything that is text.
    Importer{"TORCH_LOGS text", looksLikeTextLog, importTextLog},
};

}  // namespace

std::span<const Importer> importers() { return kImporters; }

}  // namespace jitscope::analyzer
