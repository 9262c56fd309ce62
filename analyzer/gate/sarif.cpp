#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analyzer/gate/gate_tables.h"
#include "analyzer/gate/outputs.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

/// One rule for each kind and class of cause.
std::string ruleId(const Finding& finding) {
  return boundedText(std::string(name(finding.kind)) + "/" + finding.causeClass);
}

/// A path as a reference of RFC 3986: `file:///a%20b.py`, `file:///C:/a.py`, `file://server/a.py`,
/// and relative ones as they are, percent-encoded.
std::string uriOf(std::string_view path) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  std::string uri;
  if (hasDrive(path)) {
    uri = fmt::format("file:///{}:", path[0]);
    path.remove_prefix(2);
  } else if (path.starts_with("//")) {
    uri = "file:";
  } else if (path.starts_with('/')) {
    uri = "file://";
  }
  for (const char each : path) {
    if (kPlain.find(each) != std::string_view::npos)
      uri += each;
    else
      uri += fmt::format("%{:02X}", static_cast<unsigned char>(each));
  }
  return uri;
}

Json locations(const Place& place, const std::filesystem::path& sourceRoot) {
  if (!isLineOfFile(place)) return Json::array();
  return {{{"physicalLocation",
            {{"artifactLocation", {{"uri", uriOf(pathBelow(sourceRoot, place.file))}}},
             {"region", {{"startLine", place.line}}}}}}};
}

Json resultOf(const FindingCheck& check, size_t ruleIndex,
              const std::filesystem::path& sourceRoot) {
  const Finding& finding = *check.finding;
  Json result{
      {"ruleId", ruleId(finding)},
      {"ruleIndex", ruleIndex},
      {"level", check.isOver ? "error" : "warning"},
      {"message", {{"text", boundedText(finding.advice.cause + ". Fix: " + finding.advice.fix)}}},
      {"locations", locations(finding.place, sourceRoot)},
      {"partialFingerprints", {{"jitscopeFinding/v1", boundedText(finding.id)}}},
      {"occurrenceCount", std::max<int64_t>(finding.count(), 1)}};
  if (check.state == FindingState::kNew) result["baselineState"] = "new";
  if (check.state == FindingState::kKnown) result["baselineState"] = "unchanged";
  if (check.state == FindingState::kAllowed) {
    result["suppressions"] =
        Json::array({{{"kind", "external"}, {"justification", boundedText(check.allowedBecause)}}});
  }
  return result;
}

Json notification(const LimitCheck& check) {
  return {{"level", check.isOver ? "error" : "note"},
          {"message", {{"text", limitText(check)}}},
          {"descriptor", {{"id", "limit/" + std::string(check.measure->name)}}}};
}

}  // namespace

std::string gateSarif(const GateVerdict& verdict, const std::filesystem::path& sourceRoot) {
  std::vector<std::string> known;
  Json rules = Json::array(), results = Json::array(), notifications = Json::array();
  for (const FindingCheck& check : verdict.findings) {
    const std::string id = ruleId(*check.finding);
    const auto found = std::find(known.begin(), known.end(), id);
    const auto index = static_cast<size_t>(found - known.begin());
    if (found == known.end()) {
      known.push_back(id);
      rules.push_back({{"id", id}, {"shortDescription", {{"text", boundedTitle(*check.finding)}}}});
    }
    results.push_back(resultOf(check, index, sourceRoot));
  }
  for (const LimitCheck& check : verdict.limits) notifications.push_back(notification(check));
  const Json invocation{{"executionSuccessful", true},
                        {"toolExecutionNotifications", std::move(notifications)}};
  const Json run{{"tool", {{"driver", {{"name", "jitscope"}, {"rules", std::move(rules)}}}}},
                 {"invocations", Json::array({invocation})},
                 {"results", std::move(results)}};
  const Json log{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                 {"version", "2.1.0"},
                 {"runs", Json::array({run})}};
  constexpr int kIndent = 2;
  return log.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jitscope::analyzer
