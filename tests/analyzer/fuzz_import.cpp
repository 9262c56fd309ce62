#include "tests/analyzer/fuzz_import.h"

#include <cstdlib>
#include <string_view>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "tests/trace/memory_file.h"

namespace jitscope::analyzer {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void loadBytes(std::string_view bytes) {
  const trace::MemoryFile memory(bytes);
  LoadOptions options;
  options.mostUnpackedBytes = 16 << 20;
  const trace::Result<Run> run = loadRun(memory.path(), options);
  if (!run) {
    require(run.error().text.find('\n') == std::string::npos);
    return;
  }
  for (const Input& input : run->inputs) {
    require(!input.format.empty());
    for (const InputLoss& loss : input.losses) require(loss.amount > 0 && !loss.text.empty());
  }
  for (const Process& process : run->processes) {
    require(process.kernelOps.size() == process.kernels.size());
    require(process.opPieces.size() == process.ops.size());
  }
  require(!renderReport(*run, analyze(*run), ReportFormat::kJson).empty());
  require(!renderReport(*run, analyze(*run), ReportFormat::kText).empty());
}

}  // namespace
}  // namespace jitscope::analyzer

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  jitscope::analyzer::loadBytes({reinterpret_cast<const char*>(bytes), size});
  return 0;
}
