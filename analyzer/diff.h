#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/processor_wait.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// How something differs from one run to the other.
enum class Change {
  kAdded,
  kGone,
  kMore,      ///< more, slower, larger
  kLess,      ///< fewer, faster, smaller
  kSame,      ///< equal, or within the noise that its repeats show
  kUnjudged,  ///< differs, but happens too seldom for its noise to be known
  kDoubtful,  ///< took another time on the host, whose times in one of the runs are not reliable
};

/// The change as it stands in JSON: "added", "gone", "more", "less", "same", "unjudged",
/// "doubtful".
std::string_view name(Change change);

/// What a number of the whole run is.
enum class TotalKind {
  kAmount,      ///< a count or bytes
  kHostTime,    ///< nanoseconds, longer when the program's threads wait for a processor
  kDeviceTime,  ///< nanoseconds that a GPU took
};

/// One number of the whole run.
struct TotalDifference {
  std::string_view name, meaning;
  TotalKind kind = TotalKind::kAmount;
  Change change = Change::kSame;
  std::optional<int64_t> before, after;  ///< none: the run does not hold it
};

/// A finding of either run; `cost` and `count` are 0 where it is not.
struct FindingDifference {
  const Finding* before = nullptr;  ///< owned by the analysis of its run
  const Finding* after = nullptr;
  Change change = Change::kSame;

  /// The one to describe it by: of the later run if it is there.
  const Finding& either() const { return after != nullptr ? *after : *before; }
};

/// What one run has of something that repeats.
struct Repeats {
  int64_t count = 0, totalNs = 0, medianNs = 0;
  std::string served;  ///< of calls: "compiled" or "eager"
};

/// A callable, a kernel or an operator by its name.
struct RepeatDifference {
  std::string what;
  Change change = Change::kSame;  ///< of the median, or of being there
  std::optional<Repeats> before, after;

  /// How much more time all of them took.
  int64_t totalDeltaNs() const;
};

/// For how long the threads of two runs waited for a processor.
struct WaitsOfRuns {
  ProcessorWait before, after;

  /// Whether those of either waited for so long that times of the host cannot be compared.
  bool isEitherLong() const { return before.isLong() || after.isLong(); }
};

/// Two runs compared. Things are matched by meaning: findings by cause and place, callables and
/// kernels by name, whatever their numbers, and again without line numbers where code has moved.
struct RunDiff {
  std::filesystem::path before, after;
  WaitsOfRuns waits;
  std::vector<TotalDifference> totals;
  std::vector<FindingDifference> findings;  ///< added first, then gone, then the rest
  std::vector<RepeatDifference> frames;     ///< these three by how much time they differ
  std::vector<RepeatDifference> kernels;
  std::vector<RepeatDifference> operators;  ///< outermost ones

  /// How many of `list` changed so.
  template <class List>
  static int64_t countOf(const List& list, Change change) {
    int64_t count = 0;
    for (const auto& each : list) count += each.change == change ? 1 : 0;
    return count;
  }
};

/// Compares two runs. The result points into `beforeAnalysis` and `afterAnalysis`.
RunDiff diffRuns(const Run& before, const Analysis& beforeAnalysis, const Run& after,
                 const Analysis& afterAnalysis);

/// What a change is called: of things that take time, more is "slower".
std::string changeText(Change change, bool isTime);

/// By what share of `before` something grew; none where there is no ratio, or no difference.
std::optional<double> shareOfChange(int64_t before, int64_t after);

/// Why times of the host cannot be compared between the runs, in a sentence; empty where they can.
std::string doubtOf(const RunDiff& diff);

/// All that changed in a few lines: "findings: 2 added, 1 gone; kernels: 3 faster.", and the doubt
/// about it.
std::string verdictOf(const RunDiff& diff);

/// The names of the formats that a diff can take: "text", "json", "markdown".
std::vector<std::string_view> diffFormatNames();

/// Writes a diff; none for a format that a diff does not have. At most `mostRows` rows of each
/// table in text and Markdown; 0: all.
std::optional<std::string> renderDiff(const RunDiff& diff, std::string_view format,
                                      size_t mostRows);

}  // namespace jitscope::analyzer
