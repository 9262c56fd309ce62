#include <algorithm>
#include <string>

#include "analyzer/import/importer.h"
#include "tests/analyzer/fuzz_logs.h"
#include "tests/analyzer/packing.h"
#include "tests/fuzz/sound_run.h"
#include "tests/fuzz/targets.h"

namespace jitscope::fuzz {
namespace {

/// Whether bytes would be read as that format. What has left its format is no use to its fuzzer:
/// another one does it better.
bool isOf(std::string_view format, std::string_view bytes) {
  const analyzer::InputBytes input = analyzer::InputBytes::of(bytes);
  for (const analyzer::Importer& importer : analyzer::importers()) {
    if (importer.recognises(input.head())) return importer.format == format;
  }
  return false;
}

}  // namespace

void loadKineto(std::string_view bytes) {
  if (!isOf("Chrome trace", bytes)) return;
  requireSoundFile(bytes);
  // The last byte decides: most inputs would cost twice the time for nothing.
  const auto choice = static_cast<unsigned char>(bytes.back()) % 16;
  if (choice == 1) requireSoundFile(analyzer::gzipped(bytes));
  if (choice == 2) requireSoundFile(analyzer::zstdPacked(bytes));
}

void loadTorchTrace(std::string_view bytes) {
  if (!isOf("TORCH_TRACE log", bytes)) return;
  analyzer::readAsTorchTrace(bytes);
  requireSoundFile(bytes);
}

void loadTorchLogs(std::string_view bytes) {
  if (!isOf("TORCH_LOGS text", bytes)) return;
  analyzer::readAsTextLog(bytes);
  requireSoundFile(bytes);
}

void loadNsys(std::string_view bytes) {
  if (isOf("Nsight Systems export", bytes)) requireSoundFile(bytes);
}

}  // namespace jitscope::fuzz
