#include "gui/loading/diff_sheets.h"

#include <exception>

#include "analyzer/diff.h"
#include "analyzer/place.h"
#include "gui/loading/run_text.h"
#include "gui/models/number_text.h"

namespace jitscope::gui {
namespace {

using analyzer::Change;
using Kind = ColumnKind;

SheetCell word(const QString& text) { return {text, std::nullopt}; }

SheetCell nothing() { return {kNoValue, std::nullopt}; }

SheetCell duration(int64_t durationNs) {
  return {durationText(durationNs), static_cast<double>(durationNs)};
}

SheetCell count(int64_t amount) { return {countText(amount), static_cast<double>(amount)}; }

/// "+12.0 %", by what it was before.
SheetCell percent(int64_t before, int64_t after) {
  const std::optional<double> share = analyzer::shareOfChange(before, after);
  if (!share) return nothing();
  return {(*share > 0 ? "+" : "") + percentText(*share), share};
}

/// The word for a change, with a sign that is read at a glance.
QString signedChange(Change change, bool isTime) {
  QString text = toLine(analyzer::changeText(change, isTime));
  switch (change) {
    case Change::kAdded:
      return "+ " + text;
    case Change::kGone:
      return "− " + text;
    case Change::kMore:
      return "▲ " + text;
    case Change::kLess:
      return "▼ " + text;
    default:
      return text;
  }
}

bool isFaint(Change change) { return change == Change::kSame || change == Change::kUnjudged; }

bool isBytes(const analyzer::TotalDifference& total) { return total.name.ends_with("_bytes"); }

SheetCell totalCell(const analyzer::TotalDifference& total, const std::optional<int64_t>& amount) {
  if (!amount) return nothing();
  if (total.kind != analyzer::TotalKind::kAmount) return duration(*amount);
  if (!isBytes(total)) return count(*amount);
  return {bytesText(*amount), static_cast<double>(*amount)};
}

std::shared_ptr<const Sheet> totalsSheet(const analyzer::RunDiff& diff) {
  auto sheet = std::make_shared<Sheet>();
  sheet->title = "Totals";
  sheet->columns = {{"Of the whole recording", Kind::kText, true},
                    {"Before", Kind::kNumber},
                    {"After", Kind::kNumber},
                    {"Difference", Kind::kNumber}};
  for (const analyzer::TotalDifference& total : diff.totals) {
    SheetLine& line = sheet->lines.emplace_back();
    line.isFaint = total.change == Change::kSame;
    SheetCell change =
        total.before && total.after ? percent(*total.before, *total.after) : nothing();
    if (total.change == Change::kDoubtful)
      change.text = change.number ? change.text + ", doubtful" : QString("doubtful");
    line.cells = {word(toLine(total.meaning)), totalCell(total, total.before),
                  totalCell(total, total.after), change};
  }
  return sheet;
}

SheetColumn changeColumn() {
  return {"Change", Kind::kText, false,
          "too few repeats: differs, but happens too seldom for its noise to be known; doubtful: "
          "slower or faster, but by times that are not reliable"};
}

std::shared_ptr<const Sheet> findingsSheet(const analyzer::RunDiff& diff) {
  auto sheet = std::make_shared<Sheet>();
  sheet->title = "Findings";
  sheet->whyEmpty = "Neither recording has a finding.";
  sheet->columns = {changeColumn(),
                    {"Finding", Kind::kText, true},
                    {"Place", Kind::kCode, false, {}, true},
                    {"Before", Kind::kNumber, false, "How often"},
                    {"After", Kind::kNumber, false, "How often"},
                    {"Cost before", Kind::kNumber},
                    {"Cost after", Kind::kNumber}};
  const auto countOf = [](const analyzer::Finding* finding) {
    return finding == nullptr ? nothing() : count(finding->count());
  };
  const auto costOf = [](const analyzer::Finding* finding) {
    const bool isKnown = finding != nullptr && finding->cost.timeNs > 0;
    return isKnown ? duration(finding->cost.timeNs) : nothing();
  };
  for (const analyzer::FindingDifference& each : diff.findings) {
    const analyzer::Finding& finding = each.either();
    const bool hasPlace = !finding.place.file.empty();
    SheetLine& line = sheet->lines.emplace_back();
    line.isFaint = isFaint(each.change);
    line.cells = {word(signedChange(each.change, false)),
                  word(toLine(finding.advice.title)),
                  hasPlace ? word(toLine(analyzer::shortText(finding.place))) : nothing(),
                  countOf(each.before),
                  countOf(each.after),
                  costOf(each.before),
                  costOf(each.after)};
  }
  return sheet;
}

SheetLine repeatsLine(const analyzer::RepeatDifference& each) {
  const auto cell = [](const std::optional<analyzer::Repeats>& repeats,
                       int64_t analyzer::Repeats::*field,
                       auto show) { return repeats ? show((*repeats).*field) : nothing(); };
  const bool isPair = each.before && each.after;
  QString what = toLine(each.what);
  if (isPair && each.before->served != each.after->served)
    what += QString(" (%1 → %2)").arg(toLine(each.before->served), toLine(each.after->served));
  const int64_t deltaNs = each.totalDeltaNs();
  SheetLine line;
  line.isFaint = isFaint(each.change);
  line.cells = {word(signedChange(each.change, true)),
                word(what),
                cell(each.before, &analyzer::Repeats::count, count),
                cell(each.after, &analyzer::Repeats::count, count),
                cell(each.before, &analyzer::Repeats::medianNs, duration),
                cell(each.after, &analyzer::Repeats::medianNs, duration),
                isPair ? percent(each.before->medianNs, each.after->medianNs) : nothing(),
                {(deltaNs > 0 ? "+" : "") + durationText(deltaNs), static_cast<double>(deltaNs)}};
  return line;
}

std::shared_ptr<const Sheet> repeatsSheet(const QString& title, const QString& what,
                                          const std::vector<analyzer::RepeatDifference>& list) {
  auto sheet = std::make_shared<Sheet>();
  sheet->title = title;
  sheet->whyEmpty = "Neither recording has " + title.toLower() + ".";
  sheet->columns = {changeColumn(),
                    {what, Kind::kCode, true},
                    {"Count before", Kind::kNumber, false, {}, true},
                    {"after", Kind::kNumber},
                    {"Median before", Kind::kNumber},
                    {"after", Kind::kNumber},
                    {"Difference", Kind::kNumber, false, "Of the median"},
                    {"Total", Kind::kNumber, false, "How much more time all of them took"}};
  for (const analyzer::RepeatDifference& each : list) sheet->lines.push_back(repeatsLine(each));
  return sheet;
}

DiffSheets sheetsOf(const analyzer::RunDiff& diff) {
  DiffSheets sheets;
  sheets.verdict = toLine(analyzer::verdictOf(diff));
  sheets.totals = totalsSheet(diff);
  sheets.details = {findingsSheet(diff), repeatsSheet("Callables", "Callable", diff.frames),
                    repeatsSheet("Kernels", "Kernel", diff.kernels),
                    repeatsSheet("Operators", "Operator", diff.operators)};
  return sheets;
}

DiffSheets failed(const QString& text) {
  DiffSheets sheets;
  sheets.error = text;
  return sheets;
}

}  // namespace

DiffSheets compareWith(const Recording& before, const std::filesystem::path& after,
                       const std::stop_token& stop) {
  try {
    analyzer::LoadOptions options;
    options.stop = stop;
    const auto loaded = analyzer::loadRun(after, options);
    if (!loaded) return failed(toLine(loaded.error().text));
    if (stop.stop_requested()) return failed("stopped");
    const analyzer::Analysis analysis = analyzer::analyze(*loaded);
    return sheetsOf(analyzer::diffRuns(*before.run, before.analysis, *loaded, analysis));
  } catch (const std::exception& error) {
    return failed(toLine(after.string()) + ": " + error.what());
  }
}

}  // namespace jitscope::gui
