#include "analyzer/gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analyzer/diff/align.h"

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

/// Which findings the baseline has, also where code has moved, and what it has beyond them.
class KnownFindings {
 public:
  KnownFindings(const Baseline& baseline, const Analysis& analysis) {
    std::vector<std::string> before, after;
    for (const auto& [id, title] : baseline.findings) before.push_back(id);
    for (const Finding& finding : analysis.findings) after.push_back(finding.id);
    for (const Aligned& pair : align(before, after)) {
      if (pair.before && pair.after) known_.insert(after[*pair.after]);
      if (!pair.after) gone_.push_back(before[*pair.before]);
    }
  }

  bool has(const Finding& finding) const { return known_.contains(finding.id); }
  const std::vector<std::string>& gone() const { return gone_; }

 private:
  std::set<std::string> known_;
  std::vector<std::string> gone_;
};

FindingCheck checkFinding(const Finding& finding, const Allowance* allowance,
                          const KnownFindings* known) {
  FindingCheck check{.finding = &finding};
  if (allowance != nullptr) {
    check.state = FindingState::kAllowed;
    check.allowedBecause =
        fmt::format("{} (until {})", allowance->reason, dateText(allowance->until));
  } else if (known != nullptr && finding.kind != FindingKind::kRecording) {
    // What went wrong while recording is no change of the program.
    check.state = known->has(finding) ? FindingState::kKnown : FindingState::kNew;
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

std::vector<std::string> goneFrom(const Baseline& baseline, const KnownFindings& known) {
  std::vector<std::string> gone;
  for (const std::string& id : known.gone())
    gone.push_back(fmt::format("{} ({})", baseline.findings.at(id), id));
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
  verdict.recordedNs = run.startNs;
  std::optional<KnownFindings> known;
  if (baseline != nullptr) known.emplace(*baseline, analysis);
  std::vector<const Finding*> counted;
  for (const Finding& finding : analysis.findings) {
    const Allowance* allowance = allowanceOf(finding, config, today);
    verdict.findings.push_back(checkFinding(finding, allowance, known ? &*known : nullptr));
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
  if (known) verdict.gone = goneFrom(*baseline, *known);
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
