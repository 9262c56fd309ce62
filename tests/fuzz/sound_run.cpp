#include "tests/fuzz/sound_run.h"

#include <cstdlib>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/diff.h"
#include "analyzer/gate/measures.h"
#include "analyzer/report.h"
#include "tests/trace/memory_file.h"

namespace jitscope::fuzz {
namespace {

using analyzer::Analysis, analyzer::Finding, analyzer::Run;

void requireSound(const analyzer::Input& input) {
  require(!input.format.empty());
  for (const analyzer::InputLoss& loss : input.losses)
    require(loss.amount > 0 && !loss.text.empty());
}

void requireSound(const Finding& finding) {
  require(!finding.id.empty() && !finding.advice.title.empty() && !finding.advice.fix.empty());
  require(finding.count() >= 0);
  if (finding.estimate) require(finding.estimate->nowNs >= 0 && finding.estimate->withoutNs >= 0);
  for (const analyzer::Occurrence& each : finding.occurrences) require(each.startNs <= each.endNs);
}

void requireMeasures(const Run& run, const Analysis& analysis) {
  std::vector<const Finding*> findings;
  for (const Finding& finding : analysis.findings) findings.push_back(&finding);
  for (const analyzer::Measure& measure : analyzer::allMeasures())
    require(measure.of(run, analysis, findings).value_or(0) >= 0);
}

}  // namespace

void require(bool holds) {
  if (!holds) std::abort();
}

void requireSound(const Run& run) {
  for (const analyzer::Input& input : run.inputs) requireSound(input);
  for (const analyzer::Process& process : run.processes) {
    require(process.kernelOps.size() == process.kernels.size());
    require(process.opPieces.size() == process.ops.size());
  }
  const Analysis analysis = analyze(run);
  require(!analysis.verdict.empty() && analysis.frames.size() == run.frames.size());
  for (const Finding& finding : analysis.findings) requireSound(finding);
  for (const std::string_view name : analyzer::reportFormatNames())
    require(!renderReport(run, analysis, *analyzer::reportFormat(name)).empty());
  const analyzer::RunDiff diff = diffRuns(run, analysis, run, analysis);
  for (const std::string_view format : analyzer::diffFormatNames())
    require(renderDiff(diff, format, 0).has_value());
  requireMeasures(run, analysis);
}

void requireSoundFile(std::string_view bytes) {
  const trace::MemoryFile memory(bytes);
  analyzer::LoadOptions options;
  options.mostUnpackedBytes = 16 << 20;
  const trace::Result<Run> run = analyzer::loadRun(memory.path(), options);
  if (run)
    requireSound(*run);
  else
    require(run.error().text.find('\n') == std::string::npos);
}

}  // namespace jitscope::fuzz
