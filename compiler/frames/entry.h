#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "compiler/frames/guards.h"
#include "compiler/frontend/program.h"

namespace jitscope::compiler {

/// Where a symbol of an entry gets its value from in a call.
struct SymbolSource {
  static constexpr size_t kScalar = static_cast<size_t>(-1);
  size_t leaf = 0;
  size_t dimension = kScalar;  ///< kScalar: the leaf is the integer itself
  std::string source;          ///< "L['x'].size()[0]"
  bool isMarkedByUser = false;

  bool isScalar() const { return dimension == kScalar; }
  /// Where its value stands in the LeafNumbers of its leaf.
  size_t position() const { return isScalar() ? 0 : dimension; }
  /// The source of its leaf: "L['x']".
  std::string leafSource() const { return source.substr(0, source.rfind(".size()")); }
};

/// The shape of a function's result beside its tensors, kept to build results without user code.
class ResultTemplate {
 public:
  explicit ResultTemplate(const Leaves& leaves);

  c10::ArrayRef<Leaf> leaves() const { return leaves_; }
  /// Whether it holds numbers or text, which might follow a dynamic size.
  bool hasValues() const { return hasValues_; }

 private:
  Leaves leaves_;
  std::deque<std::string> texts_;
  bool hasValues_ = false;
};

/// What distinguishes calls of one signature, per leaf: sizes of a tensor, else the value itself
/// (of a text its hash).
using LeafNumbers = std::vector<std::vector<int64_t>>;

/// One compiled version of a frame: guards, what they leave open, and the program behind them.
/// Nothing in it changes after it is published but `result`, so any thread may use it; a program
/// that turns out to fit fewer calls than the guards admit moves to a new entry.
struct Entry {
  explicit Entry(const GlobalState& state) : guards(state) {}

  CompileId id;
  const void* signature = nullptr;
  GuardProgram guards;
  std::vector<uint32_t> inputLeaves;  ///< which leaves the program takes as tensors
  std::vector<SymbolSource> symbols;
  LeafNumbers numbers;  ///< as it was compiled with
  std::shared_ptr<Program> program;
  double compileSeconds = 0;

  /// Null until a capture is complete. Valid as long as the entry.
  const ResultTemplate* result() const { return result_.load(std::memory_order_acquire); }
  void setResult(const Leaves& leaves);

 private:
  std::atomic<const ResultTemplate*> result_{nullptr};
  std::mutex mutex_;
  std::vector<std::unique_ptr<const ResultTemplate>> results_;  ///< kept: calls may be reading them
};

using ProgramTensors = c10::SmallVector<at::Tensor, 8>;

/// The tensors that the program of this entry takes in this call.
ProgramTensors programInputs(const Entry& entry, const Leaves& leaves);

/// The values of its symbols.
c10::SmallVector<int64_t, 4> symbolValues(const Entry& entry, const Leaves& leaves);

/// The numbers of a call's leaves.
LeafNumbers numbersOf(const Leaves& leaves);

}  // namespace jitscope::compiler
