// The library's face: see collector/cupti_tracer.h.
#include <cstdio>
#include <exception>
#include <memory>
#include <string>

#include "collector/cupti/cupti_api.h"
#include "collector/cupti/cupti_search.h"
#include "collector/cupti/exact_traffic.h"
#include "collector/cupti/loss_counts.h"
#include "collector/cupti/pm_sampling.h"
#include "collector/cupti/profiler_api.h"
#include "collector/cupti/range_api.h"
#include "collector/cupti/tracer.h"
#include "collector/cupti_tracer.h"
#include "trace/sink_client.h"

namespace {

namespace collector = jitscope::collector;
namespace trace = jitscope::trace;

collector::Tracer* tracer = nullptr;
collector::ExactTraffic* exactTraffic = nullptr;
char problem[512];

const char* refuse(const std::string& why) {
  std::snprintf(problem, sizeof problem, "%s", why.c_str());
  return problem;
}

struct Cupti {
  std::string path;
  collector::CuptiApi api;
};

/// The first candidate that can be opened; else what is wrong with the first, which is the
/// likeliest.
trace::Result<Cupti> openAny() {
  trace::Error first{"CUPTI was not found"};
  bool isFirst = true;
  for (const std::string& candidate : collector::cuptiCandidates()) {
    const auto opened = collector::openCupti(candidate);
    if (opened) return Cupti{candidate, *opened};
    if (isFirst) first = opened.error();
    isFirst = false;
  }
  return first;
}

/// Empty when the counters are not wanted, or this CUPTI has none, which the recording is told.
collector::TrafficSamplers::MakeSource counterSource(const std::string& path, bool isWanted,
                                                     trace::EventSink& sink) {
  if (!isWanted) return {};
  const auto opened = collector::openProfiler(path);
  if (!opened) {
    collector::writeLoss(sink, trace::LossKind::kDropped,
                         "memory traffic is not sampled: " + opened.error().text, 0);
    return {};
  }
  static const collector::ProfilerApi& api = *new collector::ProfilerApi(*opened);
  return [] { return std::make_unique<collector::PmSampling>(api); };
}

/// Counts kernels instead of recording them; the error says why not.
trace::Result<void> count(const Cupti& cupti, trace::EventSink& sink) {
  const auto profiler = collector::openProfiler(cupti.path);
  if (!profiler) return profiler.error();
  const auto ranges = collector::openRanges(cupti.path);
  if (!ranges) return ranges.error();
  const auto started = collector::ExactTraffic::start(
      {cupti.api, *profiler, *ranges, collector::findDriver()}, sink);
  if (!started) return started.error();
  exactTraffic = *started;
  return {};
}

}  // namespace

#define JITSCOPE_EXPORTED extern "C" __attribute__((visibility("default")))

JITSCOPE_EXPORTED const char* jitscope_cupti_attach_v4(const JitscopeSink* sink,
                                                       const collector::CuptiWishes* wishes) {
  try {
    const auto cupti = openAny();
    if (!cupti) return refuse(cupti.error().text);
    // CUPTI's threads write until the process ends.
    trace::EventSink& rows = *trace::sinkOver(*sink).release();
    if (wishes->traffic == collector::CuptiTraffic::kExact) {
      const auto counting = count(*cupti, rows);
      return counting ? nullptr : refuse(counting.error().text);
    }
    const bool isSampled = wishes->traffic == collector::CuptiTraffic::kSampled;
    const auto started =
        collector::Tracer::start(cupti->api, collector::findDriver(), rows, *wishes,
                                 counterSource(cupti->path, isSampled, rows));
    if (!started) return refuse(started.error().text);
    tracer = *started;
    return nullptr;
  } catch (const std::exception& failure) {
    return refuse(failure.what());
  }
}

JITSCOPE_EXPORTED void jitscope_cupti_quiet_v1() {
  if (tracer) tracer->quiet();
  if (exactTraffic) exactTraffic->quiet();
}

JITSCOPE_EXPORTED void jitscope_cupti_finish_v1() {
  if (tracer) tracer->finish();
  if (exactTraffic) exactTraffic->quiet();
}
