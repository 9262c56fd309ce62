#include "gui/loading/kernel_lines.h"

#include "gui/loading/name_table.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

using analyzer::KernelGroup;

constexpr size_t kMostBins = 36;

/// Whose bytes rates are computed from: one source for all lines, so that they compare.
enum class RateSource { kNone, kExact, kSampled, kModelled };

RateSource rateSourceOf(const std::vector<KernelGroup>& groups) {
  RateSource best = RateSource::kNone;
  for (const KernelGroup& group : groups) {
    if (group.sampledCount > 0) return RateSource::kSampled;
    if (group.exact.count > 0) best = RateSource::kExact;
    if (group.modelled.count > 0 && best == RateSource::kNone) best = RateSource::kModelled;
  }
  return best;
}

QString nameOf(RateSource source) {
  switch (source) {
    case RateSource::kExact:
      return "exact";
    case RateSource::kSampled:
      return "sampled";
    case RateSource::kModelled:
      return "modelled";
    default:
      return {};
  }
}

double rateOf(const KernelGroup& group, RateSource source) {
  switch (source) {
    case RateSource::kExact:
      return group.exactRate();
    case RateSource::kSampled:
      return group.sampledRate();
    case RateSource::kModelled:
      return group.modelledRate();
    default:
      return 0;
  }
}

QString originText(const KernelGroup& group) {
  if (group.isTrial) return "trial";
  switch (group.origin) {
    case trace::Origin::kEager:
      return "eager";
    case trace::Origin::kCompiled:
      return "compiled";
    case trace::Origin::kReplay:
      return "replay";
    default:
      return "unknown";
  }
}

Category categoryOf(const KernelGroup& group) {
  if (group.isTrial) return Category::kCompilePhase;
  switch (group.origin) {
    case trace::Origin::kEager:
      return Category::kEager;
    case trace::Origin::kCompiled:
      return Category::kCompiled;
    case trace::Origin::kReplay:
      return Category::kReplay;
    default:
      return Category::kHost;
  }
}

KernelLine lineOf(const analyzer::Run& run, const KernelGroup& group, RateSource source,
                  NameTable& names) {
  KernelLine line;
  const NameId name = names.idOf(group.name);
  line.name = names.text(name);
  const QString plain = group.isOperator ? "operator" : "kernel";
  line.kind = group.isGenerated ? "generated" : names.isLibrary(name) ? "library" : plain;
  line.origin = originText(group);
  line.category = categoryOf(group);
  if (analyzer::exists(group.frame))
    line.graph = compileIdText(run.frames[group.frame].id, group.attempt);
  line.op = toLine(run.text(group.op));
  line.count = group.times.count;
  line.totalNs = group.times.totalNs;
  line.meanNs = group.times.meanNs();
  line.maxNs = group.times.maxNs;
  line.slowestNs = group.slowestNs;
  if (group.modelled.count > 0) line.modelledBytes = group.modelled.meanBytes();
  if (group.exact.count > 0) line.exactBytes = group.exact.meanBytes();
  if (group.sampledCount > 0) line.sampledBytes = group.meanSampledBytes();
  const double rate = rateOf(group, source);
  if (rate > 0) line.bytesPerSecond = rate;
  if (rate > 0 && group.peakBytesPerSecond > 0) line.peakShare = rate / group.peakBytesPerSecond;
  return line;
}

QString summaryOf(const std::vector<KernelGroup>& groups, bool areOperators) {
  if (groups.empty()) return {};
  const analyzer::KernelTimes times = analyzer::timesOf(groups);
  const QString text = countedText(times.count, areOperators ? "outermost operator" : "kernel") +
                       " in " + durationText(times.totalNs);
  return areOperators ? "No GPU kernels were recorded: " + text : text;
}

QString whyEmpty(const analyzer::Run& run) {
  if (run.compiles.empty() && run.calls.empty())
    return "The recording has no kernels and no operators.";
  return "The recording has no kernels and no operators: logs of torch.compile tell only what was "
         "compiled. Record the program with jitscope record, or open a trace of PyTorch's "
         "profiler.";
}

}  // namespace

GroupedKernels groupedKernels(const Recording& recording) {
  const analyzer::Run& run = *recording.run;
  auto lines = std::make_shared<KernelLines>();
  GroupedKernels grouped;
  grouped.groups = analyzer::summarizeKernels(run).groups;
  if (grouped.groups.empty()) {
    grouped.groups = analyzer::summarizeOperators(run);
    lines->areOperators = !grouped.groups.empty();
  }
  const RateSource source = rateSourceOf(grouped.groups);
  NameTable names(run);
  lines->list.reserve(grouped.groups.size());
  for (const KernelGroup& group : grouped.groups) {
    const KernelLine& line = lines->list.emplace_back(lineOf(run, group, source, names));
    lines->filter.add(line.name + ' ' + line.kind + ' ' + line.origin + ' ' + line.graph + ' ' +
                      line.op);
  }
  lines->rateSource = nameOf(source);
  lines->summary = summaryOf(grouped.groups, lines->areOperators);
  if (lines->list.empty()) lines->whyEmpty = whyEmpty(run);
  grouped.lines = std::move(lines);
  return grouped;
}

analyzer::DurationSpread spreadOf(const Recording& recording, const KernelGroup& group) {
  return analyzer::spreadOf(analyzer::durationsOf(*recording.run, group), kMostBins);
}

}  // namespace jitscope::gui
