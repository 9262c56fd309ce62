#include "compiler/journal/log_lines.h"

#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "trace/clock.h"

namespace jitscope::compiler {
namespace {

struct LogName {
  std::string_view name;
  LogKind kind;
};

constexpr std::array<LogName, 9> kLogs{{
    {"graph_breaks", LogKind::kGraphBreaks},
    {"recompiles", LogKind::kRecompiles},
    {"guards", LogKind::kGuards},
    {"graph_code", LogKind::kGraphCode},
    {"perf_hints", LogKind::kPerfHints},
    {"aot_graphs", LogKind::kAotGraphs},
    {"output_code", LogKind::kOutputCode},
    {"fusion", LogKind::kFusion},
    {"schedule", LogKind::kSchedule},
}};

std::string knownNames() {
  std::string names;
  for (const LogName& log : kLogs) names += (names.empty() ? "" : ", ") + std::string(log.name);
  return names;
}

uint32_t bitOf(std::string_view name) {
  for (const LogName& log : kLogs) {
    if (log.name == name) return static_cast<uint32_t>(log.kind);
  }
  return 0;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

void writeToStderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

/// Source files by their path from the repository's root, wherever it was built.
std::string_view shortPath(std::string_view path) {
  const size_t module = path.rfind("compiler/journal/");
  return module == std::string_view::npos ? path : path.substr(module);
}

std::string prefixOf(const LogTag& tag, const char* file, int line) {
  const int64_t nowNs = trace::nowNs();
  const time_t seconds = nowNs / 1'000'000'000;
  tm local{};
  localtime_r(&seconds, &local);
  std::string prefix =
      fmt::format("{}{:02}{:02} {:02}:{:02}:{:02}.{:06} {} {}:{}]", tag.level, local.tm_mon + 1,
                  local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
                  nowNs % 1'000'000'000 / 1000, getpid(), shortPath(file), line);
  if (!tag.compileId.empty()) prefix += fmt::format(" [{}]", tag.compileId);
  if (!tag.artifact.empty()) prefix += fmt::format(" [__{}]", tag.artifact);
  return prefix + ' ';
}

}  // namespace

uint32_t logMaskOf(std::string_view text) {
  uint32_t mask = 0;
  std::string unknown;
  while (!text.empty()) {
    const size_t comma = text.find(',');
    std::string_view name = trimmed(text.substr(0, comma));
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    const bool isOff = name.starts_with('-');
    if (isOff || name.starts_with('+')) name.remove_prefix(1);
    if (name.empty()) continue;
    const uint32_t bit = bitOf(name);
    if (bit == 0) unknown += (unknown.empty() ? "" : ", ") + std::string(name);
    mask = isOff ? mask & ~bit : mask | bit;
  }
  if (!unknown.empty()) {
    warnUser(fmt::format("JITSCOPE_LOGS: no log named {}; there are {}", unknown, knownNames()));
  }
  return mask;
}

uint32_t chosenLogs() {
  static const uint32_t mask = [] {
    const char* logs = std::getenv("JITSCOPE_LOGS");
    return logs ? logMaskOf(logs) : 0;
  }();
  return mask;
}

void writeLog(const LogTag& tag, std::string_view text, const char* file, int line) {
  const std::string prefix = prefixOf(tag, file, line);
  std::string message;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    message += prefix;
    message += text.substr(begin, end - begin);
    message += '\n';
    begin = end + 1;
  }
  writeToStderr(message);
}

void warnUser(std::string_view text) { writeToStderr(fmt::format("jitscope: {}\n", text)); }

}  // namespace jitscope::compiler
