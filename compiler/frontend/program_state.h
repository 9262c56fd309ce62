#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "compiler/frontend/program.h"
#include "compiler/frontend/segment_tree.h"

namespace jitscope::compiler {

/// A break-free function as one graph call.
struct StraightRun {
  std::shared_ptr<const CompiledSegment> compiled;
  trace::SegmentId segment{};
  std::vector<size_t> inputs;   ///< program inputs that the graph takes, in its order
  bool takesAllInputs = false;  ///< they are all of them, in the program's order
  /// Where each result comes from: a program input or an output of the graph.
  struct Source {
    bool isInput = false;
    size_t position = 0;
  };
  std::vector<Source> results;
  bool givesOutputsAsTheyAre = false;  ///< the results are all outputs, in the graph's order
};

/// What the runs of one program share. A run works on a copy of `learned` and publishes it when it
/// ends; when two runs learn at once, the first wins and the other's is learned again later.
struct ProgramState {
  /// Replaced, never changed.
  struct Learned {
    SegmentTree tree;
    /// The tree as it was captured, when segments were split for replay since. Another capture of
    /// the same user code looks like this one.
    std::shared_ptr<const SegmentTree> unsplit;
    std::vector<std::shared_ptr<const CompiledSegment>> compiled;  ///< for segments that are equal
    std::vector<int64_t> symbolValues;  ///< that the tree's integers are for
    Generality generality = Generality::kStatic;
    std::vector<Specialization> specializations;
  };
  /// An earlier capture of the same user code by another program.
  struct Sample {
    std::shared_ptr<const Learned> learned;
    std::vector<int64_t> values;
  };

  // Set at construction:
  ProgramContext context;
  std::vector<ProgramSymbol> symbols;
  std::vector<bool> isArgument;  ///< of the inputs that there were from the start

  /// The run to leave out user code with; null when there is none. Read without the mutex.
  std::atomic<const StraightRun*> straight{nullptr};

  mutable std::mutex mutex;
  // Under the mutex:
  Sample sample;
  std::map<std::vector<int64_t>, std::shared_ptr<const Learned>> sized;  ///< `learned` at sizes
  std::vector<ProgramInput> inputs;                                      ///< grows at the end
  std::shared_ptr<const Learned> learned;
  std::vector<std::unique_ptr<const StraightRun>> straightRuns;  ///< kept: runs may be inside

  /// For a caller that has just seen one; another thread may have withdrawn it since.
  const StraightRun& straightRun() const {
    if (const auto* run = straight.load(std::memory_order_acquire)) return *run;
    const std::scoped_lock lock(mutex);
    return *straightRuns.back();
  }

  std::shared_ptr<const Learned> snapshot() const {
    const std::scoped_lock lock(mutex);
    return learned;
  }
  std::vector<ProgramInput> inputNames() const {
    const std::scoped_lock lock(mutex);
    return inputs;
  }
};

}  // namespace jitscope::compiler
