#include "analyzer/import/compile_metrics.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"

namespace jitscope::analyzer {
namespace {

/// A duration under its name in microseconds, and the name in seconds that older versions have.
struct DurationKey {
  std::string_view microseconds, seconds;
  int64_t CompileMetrics::*duration;
};

constexpr std::array kDurations{
    DurationKey{"dynamo_cumulative_compile_time_us", "entire_frame_compile_time_s",
                &CompileMetrics::wholeNs},
    DurationKey{"aot_autograd_cumulative_compile_time_us", "backend_compile_time_s",
                &CompileMetrics::aotNs},
    DurationKey{"inductor_cumulative_compile_time_us", "inductor_compile_time_s",
                &CompileMetrics::inductorNs},
    DurationKey{"inductor_code_gen_cumulative_compile_time_us", "code_gen_time_s",
                &CompileMetrics::codegenNs},
    DurationKey{"compile_time_autotune_time_us", {}, &CompileMetrics::autotuneNs},
    DurationKey{"triton_compile_time_us", {}, &CompileMetrics::tritonNs},
};

/// A duration in nanoseconds; 0 for what cannot be one.
int64_t nanoseconds(double amount, double unitNs) {
  const double ns = amount * unitNs;
  return ns > 0 && ns < static_cast<double>(kLongestNs) ? static_cast<int64_t>(ns) : 0;
}

/// A moment in nanoseconds; 0 for what cannot be one. Microseconds as integers keep all digits.
int64_t moment(JsonView microseconds) {
  const int64_t us = microseconds.integer();
  return us > 0 && us <= kLatestNs / 1000 ? us * 1000 : 0;
}

int64_t momentOfSeconds(JsonView seconds) {
  const double ns = seconds.real() * 1e9;
  return ns > 0 && ns < static_cast<double>(kLatestNs) ? static_cast<int64_t>(ns) : 0;
}

class MetricsReader {
 public:
  explicit MetricsReader(CompileMetrics& metrics) : metrics_(metrics) {}

  void take(std::string_view key, JsonView value) {
    if (value.isNull() || takeTime(key, value) || takeFunction(key, value)) return;
    if (key == "graph_op_count") metrics_.opCount = value.integer();
    if (key == "guard_count") metrics_.guardCount = value.integer();
    if (key == "fail_type") failType_ = value.string();
    if (key == "fail_reason") failReason_ = value.string();
    if (key == "fail_user_frame_filename") metrics_.failedAt.file = value.string();
    if (key == "fail_user_frame_lineno") metrics_.failedAt.line = value.integer();
    if (key == "recompile_reason") metrics_.recompileReason = value.string();
    if (key == "cudagraph_skip_reason") metrics_.cudagraphSkip = value.string();
    if (key == "pytorch_version") metrics_.torchVersion = value.string();
    if (key == "cuda_version") metrics_.cudaVersion = value.string();
    if (key != "restart_reasons") return;
    value.forEachItem([&](JsonView item) {
      metrics_.breakReasons.push_back(item.string());
      return true;
    });
  }

  void finish() {
    if (metrics_.endNs == 0 && metrics_.startNs > 0)
      metrics_.endNs = metrics_.startNs + metrics_.wholeNs;
    if (failType_.empty()) return;
    // Some versions write the class, others its name.
    if (failType_.find("torch._dynamo.exc.Unsupported") != std::string::npos)
      failType_ = "Unsupported";
    metrics_.failure = failType_ + (failReason_.empty() ? "" : ": " + failReason_);
  }

 private:
  bool takeTime(std::string_view key, JsonView value) {
    if (key == "start_time_us" && moment(value) > 0) return metrics_.startNs = moment(value), true;
    if (key == "end_time_us") return metrics_.endNs = moment(value), true;
    if (key == "start_time" && metrics_.startNs == 0)
      return metrics_.startNs = momentOfSeconds(value), true;
    if ((key == "duration_us" || key == "elapsed_time") && metrics_.wholeNs == 0) {
      metrics_.wholeNs = nanoseconds(value.real(), key == "duration_us" ? 1e3 : 1e9);
      return true;
    }
    for (const DurationKey& each : kDurations) {
      const bool isSeconds = key == each.seconds && metrics_.*each.duration == 0;
      if (!isSeconds && key != each.microseconds) continue;
      metrics_.*each.duration = nanoseconds(value.real(), isSeconds ? 1e9 : 1e3);
      return true;
    }
    return false;
  }

  bool takeFunction(std::string_view key, JsonView value) {
    if (key == "co_name") return metrics_.function.name = value.string(), true;
    if (key == "co_filename") return metrics_.function.file = value.string(), true;
    if (key == "co_firstlineno") return metrics_.function.line = value.integer(), true;
    return false;
  }

  CompileMetrics& metrics_;
  std::string failType_, failReason_;
};

}  // namespace

bool CompileMetrics::isAtLimit() const {
  return failure.find("recompile limit exceeded") != std::string::npos ||
         failure.find("recompile_limit reached") != std::string::npos ||
         failure.find("cache_size_limit reached") != std::string::npos;
}

CompileMetrics readCompileMetrics(JsonView metrics) {
  CompileMetrics result;
  MetricsReader reader(result);
  metrics.forEachMember([&](std::string_view key, JsonView value) {
    reader.take(key, value);
    return true;
  });
  reader.finish();
  return result;
}

void storePhases(const CompileMetrics& metrics, trace::CompileRow& row) {
  const int64_t whole = std::max({metrics.wholeNs, metrics.aotNs, metrics.inductorNs});
  const int64_t aot = std::max(metrics.aotNs, metrics.inductorNs);
  const int64_t codegen = std::min(metrics.codegenNs, metrics.inductorNs);
  row.guardsNs = std::min(row.guardsNs, whole - aot);
  row.captureNs = whole - aot - row.guardsNs;
  row.aotNs = aot - metrics.inductorNs;
  row.codegenNs = codegen;
  row.backendNs = sumOf(row.backendNs, metrics.inductorNs - codegen);
  row.opCount = metrics.opCount;
  row.guardCount = metrics.guardCount;
}

}  // namespace jitscope::analyzer
