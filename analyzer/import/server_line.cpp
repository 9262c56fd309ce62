#include "analyzer/import/server_line.h"

#include <array>
#include <charconv>

#include "analyzer/import/decimal_number.h"
#include "analyzer/import/text_parts.h"
#include "analyzer/is_digit.h"

namespace jitscope::analyzer {
namespace {

/// Words that tell a stage, and those between which its seconds stand.
struct StageWords {
  std::string_view words, stage, before;
};

// Old and new versions word them differently.
constexpr std::array kStages{
    StageWords{"Dynamo bytecode transform time:", "dynamo", "time: "},
    StageWords{"Compiling a graph for ", "inductor", " takes "},
    StageWords{"Directly load the compiled graph", "load", " took "},
    StageWords{"Directly load AOT compilation", "load", {}},
    StageWords{"torch.compile takes ", "total", "takes "},
    StageWords{"torch.compile took ", "total", "took "},
    StageWords{"Graph capturing finished in ", "capture", " in "},
    StageWords{"Capture cuda graph begin", "capture_begin", {}},
    StageWords{"Capture cuda graph end. Time elapsed: ", "capture", "elapsed: "},
    StageWords{"CUDA graph end. elapsed=", "capture", "elapsed="},
    StageWords{"init engine (", "engine", ") took "},
    StageWords{"enable_torch_compile=True", "torch_compile", {}},
    StageWords{"flashinfer.jit: ", "flashinfer", {}},
    StageWords{"SingleProcess AUTOTUNE benchmarking takes ", "autotune", "takes "},
    StageWords{"SingleProcess AUTOTUNE takes ", "autotune", "takes "},
    StageWords{"SubProcess AUTOTUNE benchmarking takes ", "autotune", "takes "},
    StageWords{"AUTOTUNE ", "autotune_begin", {}},
};

int64_t twoDigits(std::string_view text) {
  return isDigit(text[0]) && isDigit(text[1]) ? (text[0] - '0') * 10 + (text[1] - '0') : -1;
}

/// `03-18 06:57:23`, wherever it stands in front.
LogTime timeIn(std::string_view front) {
  constexpr size_t kLength = 14;
  for (size_t at = front.find(':'); at != std::string_view::npos; at = front.find(':', at + 1)) {
    if (at < 8 || at - 8 + kLength > front.size()) continue;
    const std::string_view text = front.substr(at - 8, kLength);
    if (text[2] != '-' || text[5] != ' ' || text[11] != ':') continue;
    const int64_t month = twoDigits(text), day = twoDigits(text.substr(3)),
                  hour = twoDigits(text.substr(6)), minute = twoDigits(text.substr(9)),
                  second = twoDigits(text.substr(12));
    if (month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || minute < 0 || second < 0)
      continue;
    LogTime time;
    time.month = month;
    time.day = day;
    time.dayNs = ((hour * 60 + minute) * 60 + second) * 1'000'000'000;
    return time;
  }
  return {};
}

/// `(Worker_TP1 pid=302)`, `[2025-03-08 12:29:28 TP1]`
int64_t rankIn(std::string_view front) {
  for (size_t at = front.find("TP"); at != std::string_view::npos; at = front.find("TP", at + 1)) {
    constexpr size_t kMostDigits = 6;
    const std::string_view digits = front.substr(at + 2, kMostDigits);
    int64_t rank = -1;
    std::from_chars(digits.data(), digits.data() + digits.size(), rank);
    if (rank >= 0) return rank;
  }
  return -1;
}

}  // namespace

bool isOfCompiler(std::string_view stage) {
  return !stage.starts_with("autotune") && !stage.starts_with("capture") && stage != "engine";
}

std::optional<ServerLine> readServerLine(std::string_view line) {
  for (const StageWords& each : kStages) {
    const size_t at = line.find(each.words);
    if (at == std::string_view::npos) continue;
    ServerLine result;
    result.stage = each.stage;
    result.text = line.substr(at);
    result.rank = rankIn(line.substr(0, at));
    result.time = timeIn(line.substr(0, at));
    if (!each.before.empty()) result.seconds = numberAt(textAfter(result.text, each.before));
    // Prose and code that quote the words have no number, or no operator, behind them.
    if (!each.before.empty() && result.seconds < 0) return std::nullopt;
    if (each.stage == "autotune_begin" && !contains(result.text, "(")) return std::nullopt;
    return result;
  }
  return std::nullopt;
}

}  // namespace jitscope::analyzer
