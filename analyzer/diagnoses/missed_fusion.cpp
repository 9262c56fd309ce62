#include "analyzer/diagnoses/missed_fusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <span>
#include <unordered_map>

#include "analyzer/diagnoses/device_work.h"
#include "analyzer/diagnoses/frame_groups.h"
#include "analyzer/language.h"
#include "analyzer/load/valid_time.h"
#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using trace::KernelRow;

constexpr size_t kShortestChain = 2;
// Of the time of all kernels: what saves less is not worth a line.
constexpr double kLeastShare = 0.01;

bool hasAny(std::string_view name, std::span<const std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

/// Kernels that update all parameters at once, which is what fusing would come to.
bool isFusedOptimizer(std::string_view kernel) {
  constexpr std::array<std::string_view, 6> kOptimizers{"Adam", "Sgd",  "SGD",
                                                        "LAMB", "Lamb", "NovoGrad"};
  return kernel.find("multi_tensor_apply_kernel") != std::string_view::npos &&
         hasAny(kernel, kOptimizers);
}

/// Operators that DistributedDataParallel runs in its hooks, outside of what a user could compile.
bool isOfReducer(std::string_view op) { return op.starts_with("torch::distributed::reducer::"); }

/// What a compiler could make one kernel of, by the names that LibTorch gives to its kernels.
enum class FusionRole { kNone, kPointwise, kReduction };

FusionRole roleOf(std::string_view kernel) {
  constexpr std::array<std::string_view, 2> kPointwise{"elementwise_kernel",
                                                       "multi_tensor_apply_kernel"};
  constexpr std::array<std::string_view, 4> kReductions{"reduce_kernel", "layer_norm", "softmax",
                                                        "RowwiseMoments"};
  if (isFusedOptimizer(kernel)) return FusionRole::kNone;
  if (hasAny(kernel, kPointwise)) return FusionRole::kPointwise;
  return hasAny(kernel, kReductions) ? FusionRole::kReduction : FusionRole::kNone;
}

/// How many elements the first shape of "[4, 16], [16]" has; 0 when there is none.
int64_t firstElements(std::string_view shapes) {
  if (!shapes.starts_with('[')) return 0;
  int64_t elements = 1;
  const char* at = shapes.data() + 1;
  const char* const end = shapes.data() + std::min(shapes.find(']'), shapes.size());
  while (at < end) {
    int64_t size = 0;
    const auto [next, error] = std::from_chars(at, end, size);
    if (error != std::errc()) return 0;
    elements = productOf(elements, size);
    at = next;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return elements;
}

/// The same kernels of the same operators in the same order, over all repeats.
struct Chain {
  std::vector<std::string> operators;
  int64_t kernels = 0, repeats = 0;
  bool hasReduction = false;
  Sum elements;  ///< of tensors between the operators, where shapes are recorded
  Cost cost;
  std::vector<Occurrence> occurrences;
};

/// Gathers the chains of one process.
class ChainFinder {
 public:
  ChainFinder(const Run& run, ProcessIndex index, std::map<std::string, Chain>& chains)
      : run_(run), index_(index), process_(run.processes[index]), chains_(chains) {}

  void find() {
    std::map<std::pair<int64_t, int64_t>, std::vector<DeviceWork>> streams;
    for (const DeviceWork& work : deviceWorkOf(process_))
      streams[{work.device, work.stream}].push_back(work);
    for (const auto& [stream, works] : streams) {
      for (const DeviceWork& work : works) {
        const FusionRole role = roleOf(work);
        hasPointwise_ |= role == FusionRole::kPointwise;
        hasReduction_ |= role == FusionRole::kReduction;
        if (role == FusionRole::kNone)
          endChain();
        else
          current_.push_back(&work);
      }
      endChain();
    }
  }

 private:
  FusionRole roleOf(const DeviceWork& work) {
    if (!exists(work.kernel) || process_.originOf(work.kernel) != trace::Origin::kEager)
      return FusionRole::kNone;
    if (!exists(process_.kernelOps[position(work.kernel)])) return FusionRole::kNone;
    if (isOfReducer(operatorOf(work))) return FusionRole::kNone;
    const trace::StringId name = process_.kernels.get<&KernelRow::name>(position(work.kernel));
    const auto [known, isNew] = roles_.try_emplace(name, FusionRole::kNone);
    if (isNew) known->second = analyzer::roleOf(run_.text(name));
    return known->second;
  }

  std::string_view operatorOf(const DeviceWork& work) const {
    const OpIndex op = process_.kernelOps[position(work.kernel)];
    return run_.text(process_.ops.get<&trace::OpRow::name>(position(op)));
  }

  int64_t elementsOf(const DeviceWork& work) const {
    const OpIndex op = process_.kernelOps[position(work.kernel)];
    return firstElements(run_.text(process_.ops.get<&trace::OpRow::shapes>(position(op))));
  }

  void endChain() {
    if (current_.size() >= kShortestChain && hasPointwise_) add();
    current_.clear();
    hasPointwise_ = false;
    hasReduction_ = false;
  }

  void add() {
    std::vector<std::string> operators;
    std::string key;
    for (const DeviceWork* work : current_) {
      operators.emplace_back(operatorOf(*work));
      key += (key.empty() ? "" : "+") + operators.back();
    }
    Chain& chain = chains_[key];
    chain.operators = std::move(operators);
    chain.kernels = static_cast<int64_t>(current_.size());
    chain.hasReduction = hasReduction_;
    ++chain.repeats;
    // What an operator reads first is what the one before it has written.
    for (size_t i = 1; i < current_.size(); ++i) chain.elements += elementsOf(*current_[i]);
    addCost(chain.cost);
    chain.occurrences.push_back(
        {index_, FrameIndex::kNone, 0, current_.front()->startNs, current_.back()->endNs});
  }

  /// One kernel in place of all reads its inputs once: it takes about as long as the longest one.
  void addCost(Cost& cost) const {
    Sum totalNs, totalBytes;
    int64_t longestNs = 0, mostBytes = 0;
    for (const DeviceWork* work : current_) {
      totalNs += work->endNs - work->startNs;
      longestNs = std::max(longestNs, work->endNs - work->startNs);
      const int64_t bytes =
          summable(process_.kernels.get<&KernelRow::modelledBytes>(position(work->kernel)));
      totalBytes += bytes;
      mostBytes = std::max(mostBytes, bytes);
    }
    cost +=
        {totalNs - longestNs, static_cast<int64_t>(current_.size()) - 1, totalBytes - mostBytes};
  }

  const Run& run_;
  ProcessIndex index_;
  const Process& process_;
  std::map<std::string, Chain>& chains_;
  std::unordered_map<trace::StringId, FusionRole> roles_;
  std::vector<const DeviceWork*> current_;
  bool hasPointwise_ = false;  ///< reductions alone are not made one
  bool hasReduction_ = false;
};

/// "aten::add, aten::mul (3 times), …"
std::string shortList(const std::vector<std::string>& operators) {
  constexpr size_t kShown = 6;
  std::string text;
  size_t shown = 0;
  for (auto at = operators.begin(); at != operators.end(); ++shown) {
    if (shown == kShown) return text + ", …";
    const auto next = std::find_if(at, operators.end(), [&](const auto& op) { return op != *at; });
    text += (shown == 0 ? "" : ", ") + *at;
    if (next - at > 1) text += fmt::format(" ({} times)", countText(next - at));
    at = next;
  }
  return text;
}

/// Whether one operator writes into one tensor after the other, as an optimizer does to parameters:
/// then nothing goes from one kernel to the next.
bool isOfSeparateTensors(const Chain& chain) {
  const std::string& first = chain.operators.front();
  return first.ends_with('_') && std::all_of(chain.operators.begin(), chain.operators.end(),
                                             [&](const auto& op) { return op == first; });
}

/// What fusing saves, as far as the recording tells: bytes by its model, else elements.
std::string savedText(const Chain& chain) {
  if (chain.cost.bytes > 0)
    return fmt::format("; {} of it would not be moved", bytesText(chain.cost.bytes));
  if (chain.elements == 0) return {};
  // Each is written once and read once, in two bytes (half precision) or four (single).
  return fmt::format("; by their shapes {} would not be moved at two bytes an element, {} at four",
                     bytesText(productOf(chain.elements, 4)),
                     bytesText(productOf(chain.elements, 8)));
}

Finding findingOf(const Run& run, const std::string& key, Chain& chain) {
  const bool isCpp =
      languageOf(run, chain.occurrences.front().process, FrameIndex::kNone) == Language::kCpp;
  Finding finding;
  finding.kind = FindingKind::kMissedFusion;
  finding.causeClass = chain.hasReduction ? "pointwise_and_reduction" : "pointwise_chain";
  finding.id = "missed_fusion/" + key;
  finding.advice.title = fmt::format("{} kernels in a row could be one: {}",
                                     countText(chain.kernels), shortList(chain.operators));
  finding.advice.cause =
      isOfSeparateTensors(chain)
          ? "this operator runs eagerly for one tensor after the other, one kernel each"
          : "these operators run eagerly, one kernel each, and every one of them reads and writes "
            "device memory again" +
                savedText(chain);
  finding.advice.fix = fmt::format(
      "let {} see them together: put the function that calls them inside of the compiled one",
      isCpp ? "jitscope::compile" : "torch.compile");
  if (isOfSeparateTensors(chain) && !isCpp)
    finding.advice.fix =
        "one call for all of the tensors: foreach=True or fused=True where an optimizer does it, "
        "set_to_none=True for zero_grad, torch._foreach_ functions in code of your own; or " +
        finding.advice.fix;
  finding.advice.certainty = Certainty::kLikely;
  finding.cost = chain.cost;
  finding.evidence = {{"repeats", chain.repeats},
                      {"kernels each", chain.kernels},
                      {"processes", processCount(chain.occurrences)}};
  if (chain.elements > 0)
    finding.evidence.push_back({"elements written and read again", chain.elements});
  Sum chainsNs;
  for (const Occurrence& each : chain.occurrences) chainsNs += each.endNs - each.startNs;
  const int64_t nowNs = chainsNs / chain.repeats;
  const int64_t savedNs = chain.cost.timeNs / chain.repeats;
  finding.estimate = Estimate{"one pass of the chain", nowNs, std::max(nowNs - savedNs, int64_t{0}),
                              "one kernel took as long as the longest of them"};
  finding.occurrences = std::move(chain.occurrences);
  return finding;
}

int64_t kernelTimeOf(const Run& run) {
  Sum sumNs;
  for (const Process& process : run.processes) {
    const auto starts = process.kernels.cells<&KernelRow::startNs>();
    const auto ends = process.kernels.cells<&KernelRow::endNs>();
    for (size_t i = 0; i < starts.size(); ++i) {
      if (isValidSpan(starts[i], ends[i])) sumNs += ends[i] - starts[i];
    }
  }
  return sumNs;
}

}  // namespace

std::vector<Finding> findMissedFusions(const Subject& subject) {
  std::map<std::string, Chain> chains;
  for (size_t p = 0; p < subject.run.processes.size(); ++p)
    ChainFinder(subject.run, subject.run.processes.indexAt(p), chains).find();
  std::vector<std::pair<const std::string, Chain>*> ordered;
  ordered.reserve(chains.size());
  const double leastNs = kLeastShare * static_cast<double>(kernelTimeOf(subject.run));
  for (auto& entry : chains) {
    if (static_cast<double>(entry.second.cost.timeNs) >= leastNs) ordered.push_back(&entry);
  }
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto* a, const auto* b) {
    return a->second.cost.timeNs > b->second.cost.timeNs;
  });
  // A model has chains without number; the small ones are mended by what mends the large ones.
  constexpr size_t kMost = 10;
  if (ordered.size() > kMost) ordered.resize(kMost);
  std::vector<Finding> findings;
  findings.reserve(ordered.size());
  for (auto* entry : ordered)
    findings.push_back(findingOf(subject.run, entry->first, entry->second));
  return findings;
}

}  // namespace jitscope::analyzer
