#include "compiler/schedule/fusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "compiler/schedule/merge_nests.h"
#include "compiler/schedule/nest_rewriter.h"
#include "compiler/schedule/step_graph.h"

namespace jitscope::compiler {
namespace {

/// Two steps that touch the same memory, by what merging them may save.
struct Candidate {
  size_t first = 0, second = 0;  ///< in the order of the program
  int64_t bytes = 0;
};

class Fuser {
 public:
  Fuser(LoopProgram& program, const Graph& graph) : program_(program), graph_(graph) {}

  std::vector<FusionDecision> run() {
    dropUnread();
    for (size_t i = 0; i < program_.steps.size(); ++i) ids_.push_back(nextId_++);
    while (fuseBest()) {
    }
    dropUnread();
    return std::move(decisions_);
  }

 private:
  /// Stores that no step reads and that are no output. Whether there were any.
  bool dropUnreadStores() {
    const StepGraph steps(program_, graph_);
    std::set<MemoryId> read;
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      read.insert(steps.reads(i).begin(), steps.reads(i).end());
    }
    bool isChanged = false;
    for (LoopStep& step : program_.steps) {
      auto* nest = std::get_if<LoopNest>(&step);
      if (!nest) continue;
      isChanged |= 0 < std::erase_if(nest->stores, [&](const LoopStore& store) {
                     const MemoryId memory = steps.memoryOf(store.buffer);
                     return !read.contains(memory) && !steps.isOutput(memory);
                   });
    }
    return isChanged;
  }

  void dropUnread() {
    // What a dropped nest read may be read by nobody now.
    while (dropUnreadStores()) {
      std::erase_if(program_.steps, [](const LoopStep& step) {
        const auto* nest = std::get_if<LoopNest>(&step);
        return nest && nest->stores.empty();
      });
    }
    for (LoopStep& step : program_.steps) {
      if (auto* nest = std::get_if<LoopNest>(&step)) dropUnusedReductions(*nest);
    }
  }

  void dropUnusedReductions(LoopNest& nest) {
    std::set<ReductionId> used;
    forEachScalar(program_, nest, [&](ScalarId id) {
      const Scalar& scalar = program_.body[id];
      if (scalar.op == ScalarOp::kReduced) used.insert(scalar.reduction);
    });
    std::erase_if(nest.reductions, [&](ReductionId id) { return !used.contains(id); });
  }

  using MemoryBytes = std::map<MemoryId, int64_t>;

  /// What the nest reads of each memory.
  const MemoryBytes& bytesRead(const StepGraph& steps, size_t step) {
    const auto& nest = std::get<LoopNest>(program_.steps[step]);
    // Merging gives a new number, dropping changes how much is stored.
    const auto [known, isNew] = bytesRead_.try_emplace({ids_[step], nest.stores.size()});
    if (!isNew) return known->second;
    for (const auto& [buffer, count] : elementsRead(program_, nest)) {
      known->second[steps.memoryOf(buffer)] += count * sizeBytes(program_.buffer(buffer).type);
    }
    return known->second;
  }

  /// For all pairs of nests what merging saves: reads of what the first wrote, its writing where
  /// nobody else reads it, and reading twice.
  std::map<std::pair<size_t, size_t>, int64_t> savedBytes(const StepGraph& steps) {
    std::map<MemoryId, std::vector<size_t>> touching;
    std::map<MemoryId, size_t> readers;
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      for (const MemoryId memory : steps.reads(i)) ++readers[memory];
      if (!std::holds_alternative<LoopNest>(program_.steps[i])) continue;
      for (const MemoryId memory : steps.reads(i)) touching[memory].push_back(i);
      for (const MemoryId memory : steps.writes(i)) {
        if (!steps.reads(i).contains(memory)) touching[memory].push_back(i);
      }
    }
    std::map<std::pair<size_t, size_t>, int64_t> saved;
    for (const auto& [memory, nests] : touching) {
      for (const size_t second : nests) {
        const auto& read = bytesRead(steps, second);
        const auto bytes = read.find(memory);
        if (bytes == read.end() || !steps.reads(second).contains(memory)) continue;
        for (const size_t first : nests) {
          if (first >= second) break;
          const bool isOnlyHere = steps.writes(first).contains(memory) && !steps.isOutput(memory) &&
                                  readers[memory] == 1;
          saved[{first, second}] += bytes->second * (isOnlyHere ? 2 : 1);
        }
      }
    }
    return saved;
  }

  std::vector<Candidate> candidates(const StepGraph& steps) {
    std::vector<Candidate> found;
    for (const auto& [pair, bytes] : savedBytes(steps)) {
      if (bytes > 0) found.push_back({pair.first, pair.second, bytes});
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) {
      return a.bytes != b.bytes ? a.bytes > b.bytes : a.second - a.first < b.second - b.first;
    });
    return found;
  }

  /// Merges the pair that saves most among those that can be merged. False when there is none.
  bool fuseBest() {
    const StepGraph steps(program_, graph_);
    for (const Candidate& pair : candidates(steps)) {
      const std::pair key(ids_[pair.first], ids_[pair.second]);
      if (refused_.contains(key)) continue;
      // The program's order is one that its needs allow, so that only the first can be needed.
      if (steps.isSeparated(pair.first, pair.second)) {
        if (refused_.insert(key).second)
          note(pair, "a step between them needs one and is needed by the other");
        continue;
      }
      auto merged = mergeNests(program_, nest(pair.first), nest(pair.second));
      if (const auto* refusal = std::get_if<MergeRefusal>(&merged)) {
        refused_.insert(key);
        note(pair, refusal->reason);
        continue;
      }
      note(pair, "");
      replace(pair, std::get<LoopNest>(std::move(merged)));
      return true;
    }
    return false;
  }

  void note(const Candidate& pair, std::string reason) {
    const bool isFused = reason.empty();
    decisions_.push_back({operatorsText(nest(pair.first)), operatorsText(nest(pair.second)),
                          isFused, std::move(reason), pair.bytes});
  }

  void replace(const Candidate& pair, LoopNest merged) {
    program_.steps[pair.first] = std::move(merged);
    ids_[pair.first] = nextId_++;
    program_.steps.erase(program_.steps.begin() + static_cast<std::ptrdiff_t>(pair.second));
    ids_.erase(ids_.begin() + static_cast<std::ptrdiff_t>(pair.second));
    dropUnreadStores();
    const std::vector<size_t> order = StepGraph(program_, graph_).order();
    std::vector<LoopStep> steps;
    std::vector<int64_t> ids;
    for (const size_t step : order) {
      steps.push_back(std::move(program_.steps[step]));
      ids.push_back(ids_[step]);
    }
    program_.steps = std::move(steps);
    ids_ = std::move(ids);
  }

  const LoopNest& nest(size_t step) const { return std::get<LoopNest>(program_.steps[step]); }

  LoopProgram& program_;
  const Graph& graph_;
  std::vector<int64_t> ids_;  ///< of the steps, new ones for merged nests
  int64_t nextId_ = 0;
  std::set<std::pair<int64_t, int64_t>> refused_;
  std::map<std::pair<int64_t, size_t>, MemoryBytes> bytesRead_;  ///< by number and count of stores
  std::vector<FusionDecision> decisions_;
};

}  // namespace

std::string operatorsText(const LoopNest& nest) {
  return fmt::format("{}", fmt::join(nest.operators, "_"));
}

std::string FusionReport::text() const {
  std::string text = fmt::format(
      "traffic: {} bytes ({} elements) operator by operator, {} bytes ({} elements) in kernels\n",
      before.bytes(), before.elements(), after.bytes(), after.elements());
  for (const FusionDecision& decision : decisions) {
    text += fmt::format("{} {} with {}: {} bytes{}{}\n",
                        decision.isFused ? "fused" : "did not fuse", decision.first,
                        decision.second, decision.savedBytes, decision.isFused ? " saved" : "",
                        decision.isFused ? "" : "; " + decision.reason);
  }
  return text;
}

FusionReport fuseNests(LoopProgram& program, const Graph& graph) {
  FusionReport report;
  report.before = eagerTraffic(graph);
  report.decisions = Fuser(program, graph).run();
  report.after = trafficOf(program, graph);
  return report;
}

}  // namespace jitscope::compiler
