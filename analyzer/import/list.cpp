#include <array>

#include "analyzer/import/chrome_trace.h"
#include "analyzer/import/importer.h"

namespace jitscope::analyzer {
namespace {

constexpr std::array kImporters{
    Importer{"Chrome trace", isChromeTrace, importChromeTrace},
};

}  // namespace

std::span<const Importer> importers() { return kImporters; }

}  // namespace jitscope::analyzer
