#include <fmt/format.h>

#include <fstream>
#include <optional>
#include <sstream>
#include <vector>
#define TOML_EXCEPTIONS 0
#include <toml++/impl/preprocessor.h>
// What toml++ takes for certain is not: of "[?]" it asserts that it is a key, or in a release lets
// the compiler assume so. Without that it finds the mistake a few lines later, and tells it.
#undef TOML_ASSERT_ASSUME
#define TOML_ASSERT_ASSUME(expression) static_assert(true)
#include <toml++/toml.h>

#include "analyzer/gate/config.h"
#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

trace::Error unknownName(std::string_view what, std::string_view name,
                         const std::vector<std::string_view>& known) {
  return trace::unknownWord(what, name, known);
}

/// Reads the parts of one file, each error with the line that it is in.
class ConfigReader {
 public:
  explicit ConfigReader(std::string name) : name_(std::move(name)) {}

  trace::Result<GateConfig> read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      if (key.str() == "limits") {
        if (!readLimits(node)) return *error_;
      } else if (key.str() == "allow") {
        if (!readAllowances(node)) return *error_;
      } else {
        return at(node, unknownName("table", key.str(), {"limits", "allow"}).text);
      }
    }
    return std::move(config_);
  }

 private:
  trace::Error at(const toml::node& node, const std::string& what) const {
    return {fmt::format("{}: {}: line {}", name_, what, node.source().begin.line)};
  }

  bool fail(const toml::node& node, const std::string& what) {
    error_ = at(node, what);
    return false;
  }

  bool readLimits(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node, "limits is not a table");
    for (const auto& [key, value] : *table) {
      if (key.str() == kNewFindingsLimit) {
        const std::optional<int64_t> count = value.value_exact<int64_t>();
        if (!count || *count < 0) return fail(value, "new_findings is not a count");
        config_.newFindings = *count;
        continue;
      }
      const trace::Result<Limit> limit = parseLimit(key.str(), limitText(value));
      if (!limit) return fail(value, limit.error().text);
      config_.limits.push_back(*limit);
    }
    return true;
  }

  static std::string limitText(const toml::node& value) {
    if (const auto integer = value.value_exact<int64_t>()) return std::to_string(*integer);
    if (const auto real = value.value_exact<double>()) return fmt::format("{}", *real);
    return value.value_exact<std::string>().value_or("");
  }

  bool readAllowances(const toml::node& node) {
    const toml::array* list = node.as_array();
    if (list == nullptr) return fail(node, "allow is not a list: write [[allow]]");
    for (const toml::node& each : *list) {
      if (!readAllowance(each)) return false;
    }
    return true;
  }

  bool readAllowance(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node, "allow is not a list of tables: write [[allow]]");
    for (const auto& [key, value] : *table) {
      if (key.str() != "finding" && key.str() != "reason" && key.str() != "until")
        return fail(value, unknownName("key", key.str(), {"finding", "reason", "until"}).text);
    }
    Allowance allowance;
    allowance.pattern = (*table)["finding"].value_exact<std::string>().value_or("");
    allowance.reason = (*table)["reason"].value_exact<std::string>().value_or("");
    const auto until = (*table)["until"].value_exact<toml::date>();
    if (allowance.pattern.empty()) return fail(node, "allow needs finding = \"the id of one\"");
    if (allowance.reason.empty()) return fail(node, "allow needs reason = \"why\"");
    if (!until) return fail(node, "allow needs until = a date such as 2027-03-31");
    allowance.until = {std::chrono::year(until->year), std::chrono::month(until->month),
                       std::chrono::day(until->day)};
    config_.allowances.push_back(std::move(allowance));
    return true;
  }

  std::string name_;
  GateConfig config_;
  std::optional<trace::Error> error_;
};

}  // namespace

trace::Result<GateConfig> parseGateConfig(std::string_view text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return trace::Error{
        fmt::format("{}: {}: line {}", name, error.description(), error.source().begin.line)};
  }
  return ConfigReader(name).read(parsed.table());
}

trace::Result<GateConfig> readGateConfig(const std::filesystem::path& path) {
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path, ignored))
    return trace::Error{path.string() + ": cannot be read"};
  std::ostringstream text;
  text << file.rdbuf();
  return parseGateConfig(text.str(), path.string());
}

}  // namespace jitscope::analyzer
