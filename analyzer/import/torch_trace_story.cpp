#include "analyzer/import/torch_trace_story.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "analyzer/import/cache_answer.h"
#include "analyzer/import/compile_metrics.h"
#include "analyzer/import/cudagraph_message.h"
#include "analyzer/import/python_stack.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

/// Records whose payload is not worth keeping: the timeline of phases, of which metrics tell the
/// sums, and generated names.
bool isNoise(std::string_view event) { return event == "chromium_event" || event == "dump_file"; }

/// What an event's text is called among the artifacts of a trace.
std::string_view kindOf(std::string_view event) {
  if (event == "dynamo_output_graph") return "graph_code";
  if (event == "inductor_output_code") return "output_code";
  if (event == "dynamo_cpp_guards_str" || event == "dynamo_guards") return "guards";
  return event;
}

/// How many Triton kernels a generated module defines.
int64_t kernelCountIn(std::string_view code) {
  constexpr std::string_view kKernel = "async_compile.triton(";
  int64_t count = 0;
  for (size_t at = code.find(kKernel); at != std::string_view::npos;
       at = code.find(kKernel, at + kKernel.size())) {
    ++count;
  }
  return count;
}

std::vector<LoggedGuard> guardsOfJson(JsonView list) {
  std::vector<LoggedGuard> guards;
  list.forEachItem([&](JsonView item) {
    for (LoggedGuard& guard : parseGuards(item["code"].string()))
      guards.push_back(std::move(guard));
    return true;
  });
  return guards;
}

/// The reasons of one record: a list in JSON, or one that stands as it is.
std::vector<RecompileReason> reasonsOf(std::string_view payload) {
  std::vector<RecompileReason> reasons;
  const auto add = [&](std::string_view text) { reasons.push_back(parseRecompileReason(text)); };
  const JsonView json(payload);
  if (json.isList()) {
    json.forEachItem([&](JsonView item) {
      if (item.isString()) add(item.string());
      return true;
    });
  } else {
    add(json.isString() ? json.string() : std::string(payload));
  }
  return reasons;
}

/// The number of a guard `Eq(s0, 3)`.
std::optional<int64_t> constantOf(std::string_view expression) {
  constexpr std::string_view kBegin = "Eq(";
  const size_t comma = expression.find(", ");
  if (!expression.starts_with(kBegin) || !expression.ends_with(')') ||
      comma == std::string_view::npos)
    return std::nullopt;
  const std::string_view symbol = expression.substr(kBegin.size(), comma - kBegin.size());
  if (symbol.find_first_of(" ()*+-") != std::string_view::npos) return std::nullopt;
  int64_t value = 0;
  const char* const last = expression.data() + expression.size() - 1;
  const auto [end, error] = std::from_chars(expression.data() + comma + 2, last, value);
  return error == std::errc() && end == last ? std::optional(value) : std::nullopt;
}

bool isBreakRestart(std::string_view reason) {
  return !reason.empty() && reason.find("RestartAnalysis") == std::string_view::npos &&
         reason.find("SpeculationLog") == std::string_view::npos;
}

}  // namespace

void TorchTraceStory::add(const TorchTraceRecord& record) {
  const LoggedAt at{unixNs(record.prefix.time), record.prefix.process};
  if (process_.startNs == 0) process_.startNs = at.timeNs;
  lastNs_ = std::max(lastNs_, at.timeNs);
  process_.pid = processOf(record.prefix.process);
  if (record.rank >= 0) process_.rank = record.rank;
  const std::string_view event = record.event;
  if (event == "str") return addString(record.value);
  if (event == "chromium_event") return addEvent(record, at);
  if (event == "dynamo_start") return addStart(record, at);
  if (event == "compilation_metrics") return addMetrics(record, at);
  if (event == "bwd_compilation_metrics") return addBackward(record, at);
  if (event == "symbolic_shape_specialization") return addSpecialization(record, at);
  if (event == "guard_added" || event == "guard_added_fast") return addShapeGuard(record, at);
  if (event == "create_symbol" && record.id.isTold() && record.value["source"].exists())
    journal_.compile(record.id, at).isDynamic = 1;
  if (record.hasPayload && !isNoise(event)) addArtifact(record, at);
}

int64_t TorchTraceStory::finish(int64_t fileNs) {
  journal_.finish();
  process_.executable = journal_.intern("python");
  trace::emit(sink_, process_);
  return clock_.offsetNs(lastNs_, fileNs);
}

void TorchTraceStory::addString(JsonView pair) {
  std::string text;
  int64_t number = -1;
  size_t position = 0;
  pair.forEachItem([&](JsonView item) {
    if (position == 0) text = item.string();
    if (position == 1) number = item.integer(-1);
    return ++position < 2;
  });
  if (position == 2) strings_[number] = std::move(text);
}

std::string TorchTraceStory::fileOf(JsonView number) const {
  if (number.isString()) return number.string();
  const auto known = strings_.find(number.integer(-1));
  return known == strings_.end() ? std::string() : known->second;
}

std::string TorchTraceStory::stackOf(JsonView stack) const {
  std::string text;
  stack.forEachItem([&](JsonView frame) {
    const std::string file = fileOf(frame["filename"]);
    if (file.empty()) return true;
    std::string line =
        file + ":" + std::to_string(frame["line"].integer()) + " " + frame["name"].string();
    text = text.empty() ? std::move(line) : std::move(line) + '\n' + text;
    return true;
  });
  return text;
}

void TorchTraceStory::addStart(const TorchTraceRecord& record, const LoggedAt& at) {
  if (!record.id.isTold()) return;
  trace::CompileRow& row = journal_.compile(record.id, at);
  JsonView last;
  std::string callers = "[";
  record.value["stack"].forEachItem([&](JsonView frame) {
    if (last.exists()) (callers += callers.size() > 1 ? "," : "") += last.raw();
    last = frame;
    return true;
  });
  // The innermost frame is the compiled function itself; the ones around it called it.
  row.stack = journal_.intern(stackOf(JsonView(callers + "]")));
  journal_.nameFrame(record.id,
                     {last["name"].string(), fileOf(last["filename"]), last["line"].integer()});
}

void TorchTraceStory::addMetrics(const TorchTraceRecord& record, const LoggedAt& at) {
  if (!record.id.isTold()) return;
  const CompileMetrics metrics = readCompileMetrics(record.value);
  if (metrics.endNs > 0) clock_.anchor(at.timeNs, metrics.endNs);
  if (!metrics.torchVersion.empty()) process_.torchVersion = journal_.intern(metrics.torchVersion);
  if (!metrics.cudaVersion.empty()) process_.cudaVersion = journal_.intern(metrics.cudaVersion);
  journal_.nameFrame(record.id, metrics.function, true);
  if (!metrics.cudagraphSkip.empty()) {
    const auto known = parseCudagraphMessage(metrics.cudagraphSkip);
    const std::string& reason = known ? known->told : metrics.cudagraphSkip;
    journal_.addArtifact(record.id, "cudagraph_skip", reason, metrics.cudagraphSkip, at);
  }
  if (metrics.isAtLimit()) {
    std::vector<RecompileReason> reasons;
    if (!metrics.recompileReason.empty())
      reasons.push_back(parseRecompileReason(metrics.recompileReason));
    return journal_.addLimit(record.id, metrics.function, reasons, at);
  }
  trace::CompileRow& row = journal_.compile(record.id, at);
  if (metrics.startNs > 0) row.startNs = clock_.toLog(metrics.startNs);
  row.endNs = metrics.endNs > 0 ? clock_.toLog(metrics.endNs) : at.timeNs;
  storePhases(metrics, row);
  for (const auto& [phase, durationNs] :
       {std::pair("autotuning", metrics.autotuneNs), std::pair("Triton", metrics.tritonNs)}) {
    if (durationNs > 0)
      journal_.addArtifact(record.id, "compile_phase", phase, std::to_string(durationNs), at);
  }
  row.failure = journal_.intern(metrics.failure);
  if (metrics.isUnsupported() && !breakCounts_.contains(record.id)) {
    BreakMessage broken = parseBreakReason(metrics.failure);
    if (!metrics.failedAt.file.empty())
      broken.stack = metrics.failedAt.file + ":" + std::to_string(metrics.failedAt.line);
    journal_.addBreak(record.id, std::move(broken), at);
  }
  if (metrics.breakReasons.empty() || breakCounts_.contains(record.id)) return;
  for (const std::string& reason : metrics.breakReasons) {
    if (isBreakRestart(reason)) journal_.addBreak(record.id, parseBreakReason(reason), at);
  }
}

void TorchTraceStory::addBackward(const TorchTraceRecord& record, const LoggedAt& at) {
  if (!record.id.isTold() || !journal_.knows(record.id)) return;
  trace::CompileRow& row = journal_.compile(record.id, at);
  row.backendNs = sumOf(row.backendNs, readCompileMetrics(record.value).wholeNs);
}

void TorchTraceStory::addSpecialization(const TorchTraceRecord& record, const LoggedAt& at) {
  trace::SpecializationRow row;
  row.timeNs = at.timeNs;
  row.value = record.value["value"].integer();
  row.reason = journal_.intern(record.value["reason"].string());
  row.stack = journal_.intern(stackOf(record.value["user_stack"]));
  std::string source;
  record.value["sources"].forEachItem([&](JsonView item) {
    source = item.string();
    return source.empty();
  });
  row.source = journal_.intern(source.empty() ? record.value["symbol"].string() : source);
  journal_.addSpecialization(record.id, row);
}

/// A guard on sizes with the code that made it. One that makes a size a constant is a
/// specialisation too, but only where the record says so: the fast kind lists suppressed guards as
/// well.
void TorchTraceStory::addShapeGuard(const TorchTraceRecord& record, const LoggedAt& at) {
  LoggedGuard guard;
  guard.kind = "SHAPE_ENV";
  guard.expression = record.value["expr"].string();
  guard.stack = stackOf(record.value["user_stack"]);
  record.value["symbol_to_sources"].forEachMember([&](std::string_view, JsonView source) {
    guard.source = source.string();
    return guard.source.empty();
  });
  const std::optional<int64_t> constant = constantOf(guard.expression);
  if (record.event == "guard_added" && constant && !guard.source.empty()) {
    trace::SpecializationRow row;
    row.timeNs = at.timeNs;
    row.value = *constant;
    row.source = journal_.intern(guard.source);
    row.reason = journal_.intern("the guard " + guard.expression + " was added");
    row.stack = journal_.intern(guard.stack);
    journal_.addSpecialization(record.id, row);
  }
  journal_.addShapeGuard(record.id, std::move(guard));
}

void TorchTraceStory::addArtifact(const TorchTraceRecord& record, const LoggedAt& at) {
  const bool isNamed = record.event == "artifact" || record.event == "graph_dump";
  const std::string name = isNamed ? record.value["name"].string() : std::string(record.event);
  if (name == "recompile_reasons") return addReasons(record, at);
  if (name == "dynamo_graph_break_reason") {
    std::optional<BreakMessage> message = parseBreakMessage(record.payload);
    if (!message) message = parseBreakReason(record.payload);
    ++breakCounts_[record.id];
    return journal_.addBreak(record.id, std::move(*message), at);
  }
  if (record.id.isTold()) {
    addCache(record, name, at);
    if (name == "inductor_output_code" && journal_.knows(record.id))
      journal_.compile(record.id, at).kernelCount += kernelCountIn(record.payload);
    if (name == "dynamo_output_graph" && journal_.knows(record.id))
      journal_.compile(record.id, at).graphCount = 1;
    if (name == "dynamo_cpp_guards_str") journal_.addGuards(record.id, parseGuards(record.payload));
    if (name == "dynamo_guards")
      journal_.addGuards(record.id, guardsOfJson(JsonView(record.payload)));
  }
  journal_.addArtifact(record.id, kindOf(name), name, record.payload, at);
}

void TorchTraceStory::addReasons(const TorchTraceRecord& record, const LoggedAt& at) {
  if (record.id.isTold()) journal_.addRecompile(record.id, {}, reasonsOf(record.payload), at);
}

/// The outer cache is asked first: where it hits, the inner one has nothing to say.
void TorchTraceStory::addCache(const TorchTraceRecord& record, std::string_view name,
                               const LoggedAt& at) {
  if (!name.starts_with("fx_graph_cache_") && !name.starts_with("aotautograd_cache_")) return;
  if (!journal_.knows(record.id)) return;
  const CacheAnswer answer = readCacheAnswer(name, record.payload);
  if (!answer.bypass.empty())
    journal_.addArtifact(record.id, "cache_bypass", answer.cache, answer.bypass, at);
  if (!answer.key.empty())
    journal_.addArtifact(record.id, "cache_key", answer.cache, answer.key, at);
  trace::CacheState& state = journal_.compile(record.id, at).cache;
  if (state == trace::CacheState::kHit) return;
  if (name.ends_with("_hit")) state = trace::CacheState::kHit;
  if (name.ends_with("_miss")) state = trace::CacheState::kMiss;
  if (name.ends_with("_bypass") && state == trace::CacheState::kNone)
    state = trace::CacheState::kBypass;
}

/// Of the timeline of phases only what metrics do not tell: how long the guards took.
void TorchTraceStory::addEvent(const TorchTraceRecord& record, const LoggedAt& at) {
  std::string_view phase;
  double microseconds = 0;
  std::string_view name;
  JsonView(record.payload).forEachMember([&](std::string_view key, JsonView value) {
    if (key == "name") name = value.plain();
    if (key == "ts") microseconds = value.real();
    if (key == "ph") phase = value.plain();
    const bool isWanted = name.empty() || name == "build_guards" || !clock_.isAnchored();
    return isWanted && phase.empty();
  });
  if (microseconds <= 0 || microseconds > 1e15 * 7) return;
  const auto timeNs = static_cast<int64_t>(microseconds * 1000);
  clock_.anchor(at.timeNs, timeNs);
  if (name != "build_guards" || !record.id.isTold()) return;
  if (phase == "B") guardStarts_[record.id] = timeNs;
  const auto begun = guardStarts_.find(record.id);
  if (phase != "E" || begun == guardStarts_.end() || !journal_.knows(record.id)) return;
  int64_t& guardsNs = journal_.compile(record.id, at).guardsNs;
  guardsNs = sumOf(guardsNs, timeNs - begun->second);
  guardStarts_.erase(begun);
}

}  // namespace jitscope::analyzer
