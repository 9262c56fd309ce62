#include <chrono>
#include <optional>
#include <string>

#include "analyzer/analysis.h"
#include "analyzer/gate/baseline.h"
#include "analyzer/gate/config.h"
#include "analyzer/gate/gate.h"
#include "analyzer/gate/outputs.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/fuzz/sound_run.h"
#include "tests/fuzz/targets.h"
#include "tests/trace/memory_file.h"

namespace jitscope::fuzz {
namespace {

using analyzer::Baseline, analyzer::GateConfig, analyzer::GateVerdict;

/// What is judged, made once.
struct Judged {
  analyzer::Run run = analyzer::runOf(analyzer::kServiceRows);
  analyzer::Analysis analysis = analyze(run);
};

const Judged& judged() {
  static const Judged once;
  return once;
}

void requireSound(const GateVerdict& verdict) {
  require(verdict.findings.size() == judged().analysis.findings.size());
  require(verdict.passes() == (verdict.overCount() == 0));
  require(!gateText(verdict).empty() && !gateMarkdown(verdict).empty());
  require(!gateJUnit(verdict).empty() && !gateSarif(verdict, "/src").empty());
  gateGitHub(verdict, "/src");
}

}  // namespace

void readGate(std::string_view bytes) {
  const size_t end = std::min(bytes.find('\0'), bytes.size());
  const trace::Result<GateConfig> config =
      analyzer::parseGateConfig(bytes.substr(0, end), "jitscope.toml");
  const trace::MemoryFile memory(bytes.substr(std::min(end + 1, bytes.size())));
  const trace::Result<std::optional<Baseline>> baseline = analyzer::readBaselineFile(memory.path());
  using std::chrono::year;
  requireSound(judge(judged().run, judged().analysis, config ? *config : GateConfig{},
                     baseline && *baseline ? &**baseline : nullptr, year(2026) / 6 / 15));
}

}  // namespace jitscope::fuzz
