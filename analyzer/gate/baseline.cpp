#include "analyzer/gate/baseline.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "analyzer/export/unfinished_target.h"
#include "analyzer/gate/measures.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kVersionMember = "jitscope_baseline";
constexpr int kVersion = 1;

/// Looks for the version among the members of a JSON object and keeps nothing else of it: a trace
/// of a profiler is JSON too, and may be too large to be read as a whole. Each function is false
/// where enough is known.
class VersionFinder : public nlohmann::json_sax<Json> {
 public:
  bool isFound() const { return isFound_; }

  bool null() override { return goesOn(); }
  bool boolean(bool /*value*/) override { return goesOn(); }
  bool number_integer(number_integer_t /*value*/) override { return goesOn(); }
  bool number_unsigned(number_unsigned_t /*value*/) override { return goesOn(); }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override {
    return goesOn();
  }
  bool string(string_t& /*value*/) override { return goesOn(); }
  bool binary(binary_t& /*value*/) override { return goesOn(); }
  bool start_object(std::size_t /*size*/) override { return ++depth_ > 0; }
  bool end_object() override { return --depth_ > 0; }
  bool start_array(std::size_t /*size*/) override { return depth_++ > 0; }
  bool end_array() override { return --depth_ > 0; }
  bool parse_error(std::size_t /*at*/, const std::string& /*token*/,
                   const Json::exception& /*problem*/) override {
    return false;
  }
  bool key(string_t& name) override {
    if (depth_ != 1) return true;
    isFound_ = name == kVersionMember;
    return !isFound_ && name != "traceEvents";
  }

 private:
  bool goesOn() const { return depth_ > 0; }

  size_t depth_ = 0;
  bool isFound_ = false;
};

bool hasVersion(std::istream& file) {
  VersionFinder finder;
  Json::sax_parse(file, &finder);
  return finder.isFound();
}

/// The file as JSON; none when it is anything else, such as a recording.
std::optional<Json> jsonFile(const std::filesystem::path& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  std::ifstream file(path, std::ios::binary);
  if (!hasVersion(file)) return std::nullopt;
  file.clear();
  file.seekg(0);
  return Json::parse(file, nullptr, false);
}

/// The member of that name; null without. Not a copy: one that is nested deeply needs all the
/// stack.
const Json* memberOf(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

trace::Result<void> addMeasures(const Json& measures, const std::string& path, Baseline& baseline) {
  for (const auto& [name, value] : measures.items()) {
    if (!value.is_number())
      return trace::Error{fmt::format("{}: not a number: measures.{}", path, name)};
    baseline.measures[name] = value.get<double>();
  }
  return {};
}

trace::Result<void> addFindings(const Json& findings, const std::string& path, Baseline& baseline) {
  for (const Json& finding : findings) {
    const Json* const id = finding.is_object() ? memberOf(finding, "id") : nullptr;
    if (id == nullptr || !id->is_string())
      return trace::Error{path + ": a finding without an id: findings"};
    const Json* const title = memberOf(finding, "title");
    baseline.findings[id->get<std::string>()] =
        title != nullptr && title->is_string() ? title->get<std::string>() : std::string();
  }
  return {};
}

trace::Result<Baseline> fromJson(const Json& json, const std::string& path) {
  if (json.is_discarded()) {
    return trace::Error{path +
                        ": is a baseline that is no whole JSON; take it from the repository "
                        "again, or write it anew with --update-baseline"};
  }
  const Json& version = json[kVersionMember];
  if (!version.is_number_integer() || version.get<int64_t>() != kVersion) {
    return trace::Error{path + ": baseline of another version: " +
                        (version.is_number() ? version.dump() : version.type_name()) +
                        ", this jitscope writes " + std::to_string(kVersion)};
  }
  Baseline baseline;
  if (const Json* const measures = memberOf(json, "measures")) {
    const trace::Result<void> added = addMeasures(*measures, path, baseline);
    if (!added) return added.error();
  }
  if (const Json* const findings = memberOf(json, "findings")) {
    const trace::Result<void> added = addFindings(*findings, path, baseline);
    if (!added) return added.error();
  }
  return baseline;
}

Json toJson(const Baseline& baseline) {
  Json json{{kVersionMember, kVersion}, {"measures", Json::object()}, {"findings", Json::array()}};
  for (const Measure& measure : allMeasures()) {
    const auto found = baseline.measures.find(std::string(measure.name));
    if (found != baseline.measures.end()) json["measures"][found->first] = found->second;
  }
  for (const auto& [id, title] : baseline.findings)
    json["findings"].push_back({{"id", id}, {"title", title}});
  return json;
}

}  // namespace

Baseline baselineOf(const Run& run, const Analysis& analysis) {
  Baseline baseline;
  std::vector<const Finding*> findings;
  for (const Finding& finding : analysis.findings) {
    findings.push_back(&finding);
    baseline.findings[finding.id] = finding.advice.title;
  }
  for (const Measure& measure : allMeasures()) {
    const std::optional<double> value = measure.of(run, analysis, findings);
    if (value) baseline.measures[std::string(measure.name)] = *value;
  }
  return baseline;
}

trace::Result<std::optional<Baseline>> readBaselineFile(const std::filesystem::path& path) {
  const std::optional<Json> json = jsonFile(path);
  if (!json) return std::optional<Baseline>();
  trace::Result<Baseline> baseline = fromJson(*json, path.string());
  if (!baseline) return baseline.error();
  return std::optional<Baseline>(std::move(*baseline));
}

trace::Result<void> writeBaseline(const Baseline& baseline, const std::filesystem::path& path) {
  constexpr int kIndent = 2;
  UnfinishedTarget unfinished(path);
  errno = 0;
  std::ofstream file(unfinished.path(), std::ios::binary);
  file << toJson(baseline).dump(kIndent, ' ', false, Json::error_handler_t::replace) << "\n";
  file.close();
  const auto fault = [&](const std::string& why) {
    return trace::Error{path.string() + ": cannot write the baseline: " + why};
  };
  if (!file) return fault(errno == 0 ? "stream failed" : std::strerror(errno));
  const trace::Result<void> finished = unfinished.finish();
  return finished ? finished : fault(finished.error().text);
}

}  // namespace jitscope::analyzer
