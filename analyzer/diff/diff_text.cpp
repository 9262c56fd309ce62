#include <fmt/format.h>

#include "analyzer/diff/diff_formats.h"
#include "analyzer/reports/shortened.h"
#include "analyzer/reports/table.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

constexpr const char* kNothing = "-";
constexpr size_t kLongestName = 56;

/// "+12 %"; nothing where there is no ratio.
std::string percentText(int64_t before, int64_t after) {
  const std::optional<double> share = shareOfChange(before, after);
  constexpr double kPercent = 100;
  return share ? fmt::format("{:+.1f} %", kPercent * *share) : kNothing;
}

std::string amountText(const std::optional<int64_t>& amount, bool isTime) {
  if (!amount) return kNothing;
  return isTime ? durationText(*amount) : countText(*amount);
}

Table totalsTable(const RunDiff& diff) {
  Table table;
  table.title = "Totals";
  table.columns = {{"what"}, {"before", true}, {"after", true}, {"difference", true}};
  for (const TotalDifference& each : diff.totals) {
    std::string percent =
        each.before && each.after ? percentText(*each.before, *each.after) : kNothing;
    if (each.change == Change::kDoubtful) {
      if (percent == kNothing) percent.clear();
      percent += percent.empty() ? "doubtful" : ", doubtful";
    }
    const bool isTime = each.kind != TotalKind::kAmount;
    table.rows.push_back({std::string(each.meaning), amountText(each.before, isTime),
                          amountText(each.after, isTime), percent});
  }
  return table;
}

Table findingsTable(const RunDiff& diff, size_t mostRows) {
  Table table;
  table.title = "Findings that changed";
  table.columns = {{"change"},      {"finding"},           {"place"},           {"before", true},
                   {"after", true}, {"cost before", true}, {"cost after", true}};
  const auto countOf = [](const Finding* finding) {
    return finding == nullptr ? std::string(kNothing) : countText(finding->count());
  };
  const auto costOf = [](const Finding* finding) {
    const bool isKnown = finding != nullptr && finding->cost.timeNs > 0;
    return isKnown ? durationText(finding->cost.timeNs) : std::string(kNothing);
  };
  for (const FindingDifference& each : diff.findings) {
    if (each.change == Change::kSame) continue;
    const Finding& finding = each.either();
    const std::string place = finding.place.file.empty() ? kNothing : shortText(finding.place);
    table.rows.push_back({changeText(each.change, false), finding.advice.title, place,
                          countOf(each.before), countOf(each.after), costOf(each.before),
                          costOf(each.after)});
  }
  keepFirst(table, mostRows);
  return table;
}

Table repeatsTable(const char* title, const std::vector<RepeatDifference>& list, size_t mostRows) {
  Table table;
  table.title = title;
  table.columns = {{"change"}, {"what"},   {"count", true}, {"", true}, {"median", true},
                   {"", true}, {"", true}, {"total", true}, {"", true}};
  for (const RepeatDifference& each : list) {
    const bool hasOtherCount = each.before && each.after && each.before->count != each.after->count;
    if (each.change == Change::kSame && !hasOtherCount) continue;
    const auto cell = [](const std::optional<Repeats>& repeats, int64_t Repeats::*field,
                         bool isTime) {
      return repeats ? amountText((*repeats).*field, isTime) : std::string(kNothing);
    };
    const std::string percent = each.before && each.after
                                    ? percentText(each.before->medianNs, each.after->medianNs)
                                    : kNothing;
    std::string what = shortened(each.what, kLongestName);
    const bool isServedOtherwise =
        each.before && each.after && each.before->served != each.after->served;
    if (isServedOtherwise)
      what += fmt::format(" ({} → {})", each.before->served, each.after->served);
    table.rows.push_back(
        {changeText(each.change, true), what, cell(each.before, &Repeats::count, false),
         cell(each.after, &Repeats::count, false), cell(each.before, &Repeats::medianNs, true),
         cell(each.after, &Repeats::medianNs, true), percent,
         cell(each.before, &Repeats::totalNs, true), cell(each.after, &Repeats::totalNs, true)});
  }
  keepFirst(table, mostRows);
  return table;
}

/// How a list changed: "2 added, 1 slower"; empty when it did not.
template <class List>
std::string changesOf(const List& list, bool isTime) {
  std::string text;
  for (const Change change :
       {Change::kAdded, Change::kGone, Change::kMore, Change::kLess, Change::kDoubtful}) {
    const int64_t count = RunDiff::countOf(list, change);
    if (count == 0) continue;
    std::string how = changeText(change, isTime);
    if (!isTime && (change == Change::kMore || change == Change::kLess)) how += " often";
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", countText(count), how);
  }
  return text;
}

std::vector<Table> tablesOf(const RunDiff& diff, size_t mostRows) {
  return {totalsTable(diff), findingsTable(diff, mostRows),
          repeatsTable("Callables: calls before and after", diff.frames, mostRows),
          repeatsTable("Kernels before and after", diff.kernels, mostRows),
          repeatsTable("Operators before and after", diff.operators, mostRows)};
}

}  // namespace

std::optional<double> shareOfChange(int64_t before, int64_t after) {
  if (before == 0 || before == after) return std::nullopt;
  const auto was = static_cast<double>(before);
  return (static_cast<double>(after) - was) / was;
}

std::string changeText(Change change, bool isTime) {
  if (isTime && change == Change::kMore) return "slower";
  if (isTime && change == Change::kLess) return "faster";
  if (change == Change::kUnjudged) return "too few repeats";
  return std::string(name(change));
}

std::string doubtOf(const RunDiff& diff) {
  if (!diff.waits.isEitherLong()) return {};
  constexpr double kPercent = 100;
  const auto shareText = [](const ProcessorWait& wait, const char* when) {
    return wait.isLong() ? fmt::format("in {:.0f} % {}", kPercent * wait.share(), when)
                         : std::string();
  };
  const std::string before = shareText(diff.waits.before, "before");
  const std::string after = shareText(diff.waits.after, "after");
  const char* const joint = before.empty() || after.empty() ? "" : " and ";
  return fmt::format(
      "The machine was busy: of the time in which the program could run, it waited for a processor "
      "{}{}{}, so times of the host are not reliable, and what took another time there is called "
      "doubtful, neither faster nor slower; counts and durations of kernels are told as ever. To "
      "compare all times, {}.",
      before, joint, after, kHowToBeReliable);
}

std::string verdictOf(const RunDiff& diff) {
  std::string text;
  const auto add = [&](const char* what, const std::string& changes) {
    if (!changes.empty()) text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", what, changes);
  };
  add("findings", changesOf(diff.findings, false));
  add("callables", changesOf(diff.frames, true));
  add("kernels", changesOf(diff.kernels, true));
  text = text.empty() ? "No difference beyond what repeats vary by." : text + ".";
  const std::string doubt = doubtOf(diff);
  return doubt.empty() ? text : text + ' ' + doubt;
}

std::string diffText(const RunDiff& diff, size_t mostRows) {
  std::string text =
      fmt::format("before  {}\nafter   {}\n\n", diff.before.string(), diff.after.string());
  constexpr size_t kWidth = 100;
  for (const std::string& line : wrapped(verdictOf(diff), kWidth)) text += line + "\n";
  for (const Table& table : tablesOf(diff, mostRows)) {
    if (!table.rows.empty()) text += fmt::format("\n{}\n{}", table.title, textTable(table));
  }
  return text;
}

std::string diffMarkdown(const RunDiff& diff, size_t mostRows) {
  std::string text =
      fmt::format("### {} → {}\n\n**{}**\n", markdownEscaped(diff.before.string()),
                  markdownEscaped(diff.after.string()), markdownEscaped(verdictOf(diff)));
  for (const Table& table : tablesOf(diff, mostRows)) {
    if (!table.rows.empty())
      text += fmt::format("\n#### {}\n\n{}", table.title, markdownTable(table));
  }
  return text;
}

}  // namespace jitscope::analyzer
