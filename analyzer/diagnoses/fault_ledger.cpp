#include "analyzer/diagnoses/fault_ledger.h"

#include <fmt/format.h>

#include "analyzer/diagnoses/counted_text.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/measure/durations.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// A kind of fault in words; its title is a countedText.
struct FaultWords {
  Fault fault;
  const char *causeClass, *title, *cause, *fix;
  Certainty certainty;
};

constexpr FaultWords kFaultWords[] = {
    {Fault::kNoKernels, "no_kernels",
     "no kernels: {} [launch is|launches are] recorded, and nothing that [it|they] started",
     "CUPTI, the interface that records a device, serves one subscriber at a time; most probably "
     "another tool held it (nsys, ncu, DCGM, a second profiler: "
     "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED), or the profiler came after the CUDA context",
     "record with one tool only, torch.profiler or nsys or jitscope record, and start it before "
     "the first CUDA call; `jitscope doctor` says what this machine allows",
     Certainty::kLikely},
    {Fault::kLostAtStart, "lost_at_start",
     "{} [launch at the start has|launches at the start have] no kernel in the recording",
     "the profiler drops what it takes to be outside of its window, so kernels of the first "
     "launches are missing and all totals are too low",
     "warm the profiler up (torch.profiler.schedule with wait and warmup steps), or look at later "
     "steps only",
     Certainty::kLikely},
    {Fault::kLostAtEnd, "lost_at_end",
     "{} [launch at the end has|launches at the end have] no kernel in the recording",
     "the recording ended before the device had run what was launched last",
     "call torch.cuda.synchronize() before the profiler stops, or look at earlier steps only",
     Certainty::kLikely},
    {Fault::kLostBetween, "lost_kernels",
     "{} [launch has|launches have] no kernel in the recording",
     "the recording lost device work in its midst (full buffers), so totals are too low",
     "record a shorter window, or raise the profiler's buffers "
     "(ACTIVITIES_MAX_GPU_BUFFER_SIZE_MB for torch.profiler)",
     Certainty::kLikely},
    {Fault::kLostTimes, "lost_timestamps",
     "{} [kernel or copy|kernels and copies] lost [its|their] time stamps",
     "the profiler could not get their times (start and duration are 0); they are left out of "
     "every span, sum and busy time, which are therefore too low",
     "record again, in a shorter window; their number stays in input.counts as lost_times",
     Certainty::kCertain},
    {Fault::kNegativeDuration, "negative_duration",
     "{} [kernel or copy ends before it starts|kernels and copies end before they start]",
     "the profiler never got their end stamp; their duration is taken as 0 so that no span "
     "explodes",
     "record again with a newer profiler, and close it after torch.cuda.synchronize()",
     Certainty::kCertain},
    {Fault::kZeroDuration, "zero_duration",
     "{} [kernel or copy|kernels and copies] of zero duration",
     "their time is shorter than the profiler's clock could tell, so sums of device time are lower "
     "bounds",
     "record with torch 2.4 or newer, whose stamps have nanoseconds", Certainty::kCertain},
    {Fault::kClockSkew, "clock_skew",
     "clock skew: {} [kernel or copy starts before its launch|kernels and copies start before "
     "their launch]",
     "the clocks of host and device were not aligned when the profiler converted them; launch "
     "latencies across them mean nothing, durations do",
     "compare device times with device times only; work is joined by its correlation, which the "
     "clocks do not touch; a newer profiler or driver aligns them",
     Certainty::kCertain},
    {Fault::kOverlap, "overlapping_kernels",
     "{} [kernel or copy overlaps|kernels and copies overlap] with the one before on the same "
     "stream",
     "programmatic dependent launch (PDL) lets a kernel of one stream begin before the one before "
     "it has ended, on devices from Hopper on: the overlap is real, both are kept, and busy time "
     "counts each moment once",
     "nothing to mend: take busy time, not the sum of durations; some viewers hide one of two "
     "overlapping slices",
     Certainty::kLikely},
    {Fault::kDeviceOnly, "device_only",
     "no host side: {} [kernel or copy|kernels and copies] without any launch",
     "the recording holds the device alone, so it cannot be told which operator or compiled "
     "function started what",
     "record the host too: ProfilerActivity.CPU for torch.profiler, --trace=cuda,nvtx for nsys",
     Certainty::kCertain},
    {Fault::kNoCorrelation, "no_correlation",
     "{} [kernel or copy has|kernels and copies have] no correlation",
     "the profiler wrote no correlation id, so work is joined by its External id where it has one; "
     "launch latencies cannot be told",
     "nothing to mend in the program; a newer profiler writes correlations", Certainty::kCertain},
    {Fault::kUnjoined, "unjoined_kernels",
     "{} [kernel or copy has|kernels and copies have] a launch that is not recorded",
     "no API call has their correlation: they were launched before the recording began, or those "
     "calls were filtered; they belong to no operator here",
     "start the profiler some steps before what is to be looked at", Certainty::kCertain},
    {Fault::kLegacyProfiler, "legacy_profiler",
     "a trace of the profiler before Kineto: {} [event|events], and no launches",
     "torch::autograd::profiler's RecordProfile (and torch.autograd.profiler without Kineto) times "
     "operators on the host; nothing in it tells what a GPU did for which of them",
     "in C++ use the calls of profiler_kineto.h (enableProfiler with a KINETO config and "
     "ActivityType::CUDA, disableProfiler after torch::cuda::synchronize(), then save), or "
     "`jitscope record -- PROGRAM`, which needs no change",
     Certainty::kCertain},
};

/// The numbers that only some faults have, in the cause and as evidence.
void addNumbers(FaultCount& fault, Finding& finding) {
  if (!fault.amountsNs.empty()) {
    const int64_t medianNs = medianOf(std::move(fault.amountsNs));
    finding.advice.cause += fmt::format("; the median lead is {}", durationText(medianNs));
    finding.evidence.push_back({"median lead ns", medianNs});
  }
  if (fault.summedNs == 0) return;
  finding.advice.cause += fmt::format("; durations sum to {}, the device was busy for {}",
                                      durationText(fault.summedNs), durationText(fault.busyNs));
  finding.evidence.push_back({"summed ns", fault.summedNs});
  finding.evidence.push_back({"busy ns", fault.busyNs});
}

}  // namespace

void FaultCount::add(const Occurrence& occurrence) {
  constexpr size_t kMostKept = 4096;
  ++count;
  if (occurrences.size() < kMostKept) occurrences.push_back(occurrence);
}

std::vector<Finding> FaultLedger::take() {
  std::vector<Finding> findings;
  for (const FaultWords& words : kFaultWords) {
    const auto found = counts_.find(words.fault);
    if (found == counts_.end() || found->second.count == 0) continue;
    FaultCount& fault = found->second;
    Finding finding;
    finding.kind = FindingKind::kRecording;
    finding.causeClass = words.causeClass;
    finding.id = fmt::format("recording/{}", words.causeClass);
    finding.advice.title = countedText(words.title, fault.count);
    finding.advice.cause = words.cause;
    finding.advice.fix = words.fix;
    finding.advice.certainty = words.certainty;
    finding.evidence = {{"seen", fault.count}, {"processes", processCount(fault.occurrences)}};
    addNumbers(fault, finding);
    finding.occurrences = std::move(fault.occurrences);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace jitscope::analyzer
