#include "analyzer/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace jitscope::analyzer {
namespace {

std::string dateText(std::chrono::year_month_day date) {
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

const Allowance* allowanceOf(const Finding& finding, const GateConfig& config,
                             std::chrono::year_month_day today) {
  const auto found =
      std::find_if(config.allowances.begin(), config.allowances.end(), [&](const Allowance& each) {
        return today <= each.until && matchesPattern(each.pattern, finding.id);
      });
  return found == config.allowances.end() ? nullptr : &*found;
}

FindingCheck checkFinding(const Finding& finding, const Allowance* allowance,
                          const Baseline* baseline) {
  FindingCheck check{.finding = &finding};
  if (allowance != nullptr) {
    check.state = FindingState::kAllowed;
    check.allowedBecause =
        fmt::format("{} (until {})", allowance->reason, dateText(allowance->until));
  } else if (baseline != nullptr) {
    check.state =
        baseline->findings.contains(finding.id) ? FindingState::kKnown : FindingState::kNew;
  }
  return check;
}

/// Marks the new findings beyond those that are granted; the worst ones are the ones granted last.
void markTooMany(std::vector<FindingCheck>& checks, int64_t granted) {
  int64_t newCount = std::count_if(checks.begin(), checks.end(), [](const FindingCheck& check) {
    return check.state == FindingState::kNew;
  });
  for (FindingCheck& check : checks) {
    if (check.state == FindingState::kNew) check.isOver = newCount-- > granted;
  }
}

std::optional<double> valueOf(const Limit& limit, const Baseline* baseline) {
  if (!limit.isOfBaseline) return limit.fixed;
  if (baseline == nullptr) return std::nullopt;
  const auto found = baseline->measures.find(std::string(limit.measure->name));
  if (found == baseline->measures.end()) return std::nullopt;
  constexpr double kPercent = 100;
  return found->second * (1 + limit.percent / kPercent) + limit.fixed;
}

std::vector<std::string> goneFrom(const Baseline* baseline, const Analysis& analysis) {
  std::vector<std::string> gone;
  if (baseline == nullptr) return gone;
  std::set<std::string_view> present;
  for (const Finding& finding : analysis.findings) present.insert(finding.id);
  for (const auto& [id, title] : baseline->findings) {
    if (!present.contains(id)) gone.push_back(fmt::format("{} ({})", title, id));
  }
  return gone;
}

std::vector<std::string> notesOn(const GateConfig& config, const Analysis& analysis,
                                 std::chrono::year_month_day today) {
  std::vector<std::string> notes;
  for (const Allowance& each : config.allowances) {
    const bool isNeeded = std::any_of(
        analysis.findings.begin(), analysis.findings.end(),
        [&](const Finding& finding) { return matchesPattern(each.pattern, finding.id); });
    if (!isNeeded)
      notes.push_back(fmt::format("nothing needs the allowance of {}: take it away", each.pattern));
    else if (each.until < today)
      notes.push_back(
          fmt::format("the allowance of {} ended on {}", each.pattern, dateText(each.until)));
  }
  return notes;
}

}  // namespace

std::string_view name(FindingState state) {
  switch (state) {
    case FindingState::kPresent:
      return "present";
    case FindingState::kKnown:
      return "known";
    case FindingState::kNew:
      return "new";
    case FindingState::kAllowed:
      return "allowed";
  }
  return "";
}

size_t GateVerdict::overCount() const {
  const auto isOver = [](const auto& check) { return check.isOver; };
  return static_cast<size_t>(std::count_if(limits.begin(), limits.end(), isOver) +
                             std::count_if(findings.begin(), findings.end(), isOver));
}

GateVerdict judge(const Run& run, const Analysis& analysis, const GateConfig& config,
                  const Baseline* baseline, std::chrono::year_month_day today) {
  GateVerdict verdict;
  std::vector<const Finding*> counted;
  for (const Finding& finding : analysis.findings) {
    const Allowance* allowance = allowanceOf(finding, config, today);
    verdict.findings.push_back(checkFinding(finding, allowance, baseline));
    if (allowance == nullptr) counted.push_back(&finding);
  }
  markTooMany(verdict.findings, config.newFindings);
  for (const Limit& limit : config.limits) {
    LimitCheck check{.measure = limit.measure,
                     .value = limit.measure->of(run, analysis, counted),
                     .limit = valueOf(limit, baseline)};
    check.isOver = !check.value || !check.limit || *check.value > *check.limit;
    verdict.limits.push_back(check);
  }
  verdict.gone = goneFrom(baseline, analysis);
  verdict.notes = notesOn(config, analysis, today);
  return verdict;
}

std::string measureText(std::optional<double> value) {
  if (!value) return "not in this run";
  constexpr double kLargestExact = 9007199254740992.0;
  if (*value == std::floor(*value) && std::abs(*value) < kLargestExact)
    return fmt::format("{}", static_cast<int64_t>(*value));
  return fmt::format("{:.3f}", *value);
}

std::string limitText(const LimitCheck& check) {
  const std::string limit =
      check.limit ? measureText(check.limit) : std::string("not in the baseline");
  return fmt::format("{}: {}, limit {}", check.measure->name, measureText(check.value), limit);
}

}  // namespace jitscope::analyzer
