#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "analyzer/gate/gate_tables.h"
#include "analyzer/gate/outputs.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/reports/xml_escape.h"

namespace jitscope::analyzer {
namespace {

struct JUnitCase {
  std::string group, name;
  std::string failure, details;  ///< failed when not empty
  std::string skipped;           ///< skipped when not empty
};

JUnitCase caseOf(const LimitCheck& check) {
  JUnitCase result{.group = "jitscope.limits", .name = std::string(check.measure->name)};
  if (check.isOver) {
    result.failure = limitText(check);
    result.details = std::string(check.measure->meaning);
  }
  return result;
}

JUnitCase caseOf(const FindingCheck& check) {
  JUnitCase result{.group = "jitscope.findings", .name = boundedText(check.finding->id)};
  if (check.state == FindingState::kAllowed) result.skipped = boundedText(check.allowedBecause);
  if (!check.isOver) return result;
  result.failure = fmt::format("new: {}", boundedTitle(*check.finding));
  for (const FindingLine& line : boundedLines(*check.finding))
    result.details += fmt::format("{}: {}\n", line.label, line.text);
  return result;
}

std::string element(const JUnitCase& each) {
  const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"0\"",
                                       xmlEscaped(each.group), xmlEscaped(each.name));
  if (!each.failure.empty()) {
    return fmt::format(
        "{}>\n      <failure message=\"{}\" type=\"over limit\">{}</failure>\n    </testcase>\n",
        head, xmlEscaped(each.failure), xmlEscaped(each.details));
  }
  if (!each.skipped.empty()) {
    return fmt::format("{}>\n      <skipped message=\"{}\"/>\n    </testcase>\n", head,
                       xmlEscaped(each.skipped));
  }
  return head + "/>\n";
}

/// In UTC, without a zone, as Ant's schema asks for.
std::string timestamp(int64_t timeNs) {
  const std::chrono::nanoseconds sinceEpoch(std::clamp<int64_t>(timeNs, 0, kLatestNs));
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(sinceEpoch).count();
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(seconds));
}

}  // namespace

std::string gateJUnit(const GateVerdict& verdict) {
  std::string cases;
  size_t count = 0, skipped = 0;
  const auto add = [&](const auto& check) {
    const JUnitCase each = caseOf(check);
    cases += element(each);
    ++count;
    skipped += each.skipped.empty() ? 0 : 1;
  };
  for (const LimitCheck& check : verdict.limits) add(check);
  for (const FindingCheck& check : verdict.findings) add(check);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
      "  <testsuite id=\"0\" package=\"jitscope\" name=\"jitscope\" timestamp=\"{}\" "
      "hostname=\"localhost\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"0\">\n"
      "    <properties/>\n{}    <system-out/>\n    <system-err/>\n"
      "  </testsuite>\n</testsuites>\n",
      timestamp(verdict.recordedNs), count, verdict.overCount(), skipped, cases);
}

}  // namespace jitscope::analyzer
