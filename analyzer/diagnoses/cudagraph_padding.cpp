#include "analyzer/diagnoses/cudagraph_padding.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

// Of all rows that ran: padding below that is what few captured sizes cost.
constexpr int64_t kLeastPaddingPercent = 10;
constexpr int64_t kLeastBeyondPercent = 5;

/// The numbers at the start of "127 128 200 FULL", up to the first that is no amount.
std::vector<int64_t> numbersOf(std::string_view text) {
  std::vector<int64_t> numbers;
  while (!text.empty()) {
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0) break;
    numbers.push_back(summable(number));
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  }
  return numbers;
}

/// Batches of one size.
struct BatchSize {
  int64_t paddedTo = 0;
  Sum runs;
};

/// What ran, over all servers of the log.
struct Batches {
  std::map<int64_t, BatchSize> replayed;  ///< by size
  std::map<int64_t, Sum> launched;        ///< without a graph, by size
  std::set<int64_t> captured;
  std::vector<Occurrence> occurrences;
};

class BatchReader {
 public:
  explicit BatchReader(const Run& run) : run_(run) {
    // Sizes first: they tell what a batch was padded to.
    for (const Artifact& row : run.artifacts) addSizes(row);
    for (const Artifact& row : run.artifacts) addBatch(row);
  }

  Batches take() { return std::move(batches_); }

 private:
  void addSizes(const Artifact& row) {
    if (run_.text(row.kind) != "graph_sizes") return;
    for (const int64_t size : numbersOf(run_.text(row.name))) batches_.captured.insert(size);
  }

  void addBatch(const Artifact& row) {
    const std::string_view kind = run_.text(row.kind);
    const std::string_view text = run_.text(row.name);
    const std::vector<int64_t> numbers = numbersOf(text);
    const bool isTable = kind == "graph_runs" && numbers.size() == 3;
    const bool isBatch = kind == "graph_batch" && numbers.size() == 2;
    // Without a graph the table counts prompts too, which are bound by arithmetic.
    if (isTable && !text.ends_with("NONE"))
      addReplay(numbers[0], numbers[1], numbers[2]);
    else if (isBatch && numbers[1] == 1)
      addReplay(numbers[0], paddedSize(numbers[0]), 1);
    else if (isBatch)
      ++batches_.launched[numbers[0]];
    else
      return;
    batches_.occurrences.push_back({row.process, FrameIndex::kNone, 0, row.timeNs, row.timeNs});
  }

  int64_t paddedSize(int64_t size) const {
    const auto next = batches_.captured.lower_bound(size);
    return next == batches_.captured.end() ? size : *next;
  }

  void addReplay(int64_t size, int64_t paddedTo, int64_t runs) {
    BatchSize& batch = batches_.replayed[size];
    batch.paddedTo = std::max(paddedTo, size);
    batch.runs += runs;
  }

  const Run& run_;
  Batches batches_;
};

/// What padding adds up to.
struct Padding {
  Sum runs, rows, added;
  std::vector<std::pair<int64_t, int64_t>> worst;  ///< rows added and size, most first
};

Padding paddingOf(const Batches& batches) {
  Padding padding;
  for (const auto& [size, batch] : batches.replayed) {
    const int64_t added = productOf(batch.paddedTo - size, batch.runs);
    padding.runs += batch.runs;
    padding.rows += productOf(batch.paddedTo, batch.runs);
    padding.added += added;
    if (added > 0) padding.worst.emplace_back(added, size);
  }
  std::stable_sort(padding.worst.begin(), padding.worst.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  return padding;
}

Finding graphFinding(const char* causeClass, std::vector<Occurrence> occurrences, int64_t count) {
  Finding finding;
  finding.kind = FindingKind::kCudagraph;
  finding.causeClass = causeClass;
  finding.id = fmt::format("cudagraph/{}", causeClass);
  setOccurrences(finding, "batches", std::move(occurrences));
  finding.evidence.front().count = count;
  return finding;
}

Finding paddingFinding(const Batches& batches, const Padding& padding) {
  constexpr size_t kShown = 4;
  std::string sizes, wanted;
  for (size_t i = 0; i < padding.worst.size() && i < kShown; ++i) {
    const int64_t size = padding.worst[i].second;
    const BatchSize& batch = batches.replayed.at(size);
    sizes += fmt::format("{}{} to {} ({} times)", i == 0 ? "" : ", ", size, batch.paddedTo,
                         countText(batch.runs));
    wanted += fmt::format("{}{}", i == 0 ? "" : ", ", size);
  }
  Finding finding = graphFinding("padding", batches.occurrences, padding.runs);
  const int64_t percent = percentOf(padding.added, padding.rows);
  finding.advice.title = fmt::format("{} % of what CUDA graphs compute is padding", percent);
  finding.advice.cause = fmt::format(
      "a batch is filled up to the next captured size: {} of {} rows were padding, most of them "
      "from {}",
      countText(padding.added), countText(padding.rows), sizes);
  finding.advice.fix = fmt::format(
      "capture the sizes that come (vLLM: cudagraph_capture_sizes, SGLang: --cuda-graph-bs): add "
      "{}; each one costs memory and time at the start. What it saves in time is not in this log: "
      "record the server with jitscope record to see how long a replay of each size takes",
      wanted);
  finding.advice.certainty = Certainty::kCertain;
  finding.evidence.push_back({"rows", padding.rows});
  finding.evidence.push_back({"rows of padding", padding.added});
  finding.evidence.push_back({"percent", percent});
  return finding;
}

Finding beyondFinding(const Batches& batches, int64_t launched, int64_t all) {
  const int64_t largest = batches.captured.empty() ? 0 : *batches.captured.rbegin();
  const int64_t biggest = batches.launched.rbegin()->first;
  const bool isBeyond = largest > 0 && batches.launched.begin()->first > largest;
  Finding finding = graphFinding("beyond_captured_sizes", batches.occurrences, launched);
  finding.advice.title = fmt::format("{} of {} decode batches ran without a CUDA graph",
                                     countText(launched), countText(all));
  finding.advice.cause =
      isBeyond ? fmt::format(
                     "the largest captured size is {}, and batches of up to {} came, whose "
                     "kernels are launched one by one",
                     largest, biggest)
               : fmt::format("batches of {} to {} were launched one by one; why is not in this log",
                             batches.launched.begin()->first, biggest);
  finding.advice.fix = fmt::format(
      "raise the largest captured size to {} (SGLang: --cuda-graph-max-bs, vLLM: "
      "max_cudagraph_capture_size), or bound the batch (--max-running-requests)",
      biggest);
  if (!isBeyond)
    finding.advice.fix =
        "look at the start of the log for the sizes that were captured, and for "
        "--disable-cuda-graph; then " +
        finding.advice.fix;
  finding.advice.certainty = isBeyond ? Certainty::kCertain : Certainty::kUnknown;
  finding.evidence.push_back({"largest captured size", largest});
  finding.evidence.push_back({"largest batch", biggest});
  return finding;
}

}  // namespace

std::vector<Finding> findCudagraphPadding(const Subject& subject) {
  const Batches batches = BatchReader(subject.run).take();
  const Padding padding = paddingOf(batches);
  Sum launched;
  for (const auto& [size, runs] : batches.launched) launched += runs;
  const int64_t all = sumOf(padding.runs, launched);
  std::vector<Finding> findings;
  if (padding.added > 0 && percentOf(padding.added, padding.rows) >= kLeastPaddingPercent)
    findings.push_back(paddingFinding(batches, padding));
  if (launched > 0 && percentOf(launched, all) >= kLeastBeyondPercent)
    findings.push_back(beyondFinding(batches, launched, all));
  return findings;
}

}  // namespace jitscope::analyzer
