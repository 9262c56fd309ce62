#include <nlohmann/json.hpp>

#include "analyzer/diff/diff_formats.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSchema = 1;

Json amountJson(const std::optional<int64_t>& amount) { return amount ? Json(*amount) : Json(); }

Json placeJson(const Place& place) {
  if (place.file.empty()) return nullptr;
  return {{"file", place.file}, {"line", place.line}, {"function", place.function}};
}

Json findingJson(const Finding* finding) {
  if (finding == nullptr) return nullptr;
  return {{"id", finding->id},
          {"title", finding->advice.title},
          {"place", placeJson(finding->place)},
          {"count", finding->count()},
          {"time_ns", finding->cost.timeNs}};
}

Json repeatsJson(const std::optional<Repeats>& repeats) {
  if (!repeats) return nullptr;
  Json json{
      {"count", repeats->count}, {"total_ns", repeats->totalNs}, {"median_ns", repeats->medianNs}};
  if (!repeats->served.empty()) json["served"] = repeats->served;
  return json;
}

Json listJson(const std::vector<RepeatDifference>& list) {
  Json json = Json::array();
  for (const RepeatDifference& each : list) {
    json.push_back({{"what", each.what},
                    {"change", name(each.change)},
                    {"before", repeatsJson(each.before)},
                    {"after", repeatsJson(each.after)}});
  }
  return json;
}

}  // namespace

std::string diffJson(const RunDiff& diff, size_t) {
  Json json{{"schema", kSchema}, {"before", diff.before.string()}, {"after", diff.after.string()}};
  json["has_reliable_times"] = !diff.waits.isEitherLong();
  json["notes"] = Json::array();
  if (std::string doubt = doubtOf(diff); !doubt.empty()) json["notes"].push_back(std::move(doubt));
  json["totals"] = Json::array();
  for (const TotalDifference& each : diff.totals) {
    json["totals"].push_back({{"name", each.name},
                              {"change", name(each.change)},
                              {"before", amountJson(each.before)},
                              {"after", amountJson(each.after)}});
  }
  json["findings"] = Json::array();
  for (const FindingDifference& each : diff.findings) {
    json["findings"].push_back({{"change", name(each.change)},
                                {"before", findingJson(each.before)},
                                {"after", findingJson(each.after)}});
  }
  json["frames"] = listJson(diff.frames);
  json["kernels"] = listJson(diff.kernels);
  json["operators"] = listJson(diff.operators);
  constexpr int kIndent = 2;
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jitscope::analyzer
