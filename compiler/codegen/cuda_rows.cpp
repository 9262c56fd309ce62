#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "compiler/codegen/cuda_writer.h"

// Reductions along rows. A row belongs to a warp or a block; where it fits, what several passes
// need of it stays in registers, so that memory is read once. Longer rows are read in each pass.
namespace jitscope::compiler {
namespace {

// Bytes of a row: up to the first a warp has it, up to the others so many threads.
constexpr int64_t kWarpRow = 4096, kSmallRow = 16384, kLargeRow = 65536;
constexpr int kWarpsOfBlock = 8;
constexpr int64_t kMostVectors = 64;  // of a thread: more make the code too long
constexpr int64_t kFewRows = 264;     // fewer than twice a large GPU's multiprocessors

int64_t roundedUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

/// Threads of a row, and whether it stays in registers.
void CudaWriter::planRow() {
  const size_t last = nest_.sizes.size() - 1;
  planVectors(last, nest_.sizes[last]);
  const Index count = productOf(nest_.inner());
  const int64_t elements = std::max<int64_t>(count.evaluate(program_.hints), 1);
  const int64_t rows = productOf(nest_.outer()).evaluate(program_.hints);
  const int64_t bytes = elements * (width_ > 1 ? 16 / width_ : 4);
  const int64_t vectors = (elements + width_ - 1) / width_;
  if (rows < kFewRows) {
    rowThreads_ = static_cast<int>(std::clamp<int64_t>(roundedUp(vectors, 32), 32, 1024));
    rowThreads_ = static_cast<int>(std::bit_ceil(static_cast<unsigned>(rowThreads_)));
  } else {
    rowThreads_ = bytes <= kWarpRow    ? 32
                  : bytes <= kSmallRow ? 256
                  : bytes <= kLargeRow ? 512
                                       : 1024;
  }
  rowsPerBlock_ = rowThreads_ == 32 ? kWarpsOfBlock : 1;
  planKept();
  if (!count.isConstant()) return;
  const int64_t each = (vectors + rowThreads_ - 1) / rowThreads_;
  int64_t registers = 0;
  for (const auto& [id, array] : kept_) {
    const Scalar& scalar = program_.body[id];
    const bool isLoad = scalar.op == ScalarOp::kLoad;
    const int64_t size = isLoad && width_ > 1 ? sizeBytes(program_.buffer(scalar.buffer).type)
                                              : sizeBytes(scalar.type);
    registers += (each * width_ * size + 3) / 4;
  }
  if (registers <= form_.rowRegisters && each <= kMostVectors) vectorsPerThread_ = each;
}

/// What several passes need: elements as they are in memory, and what is expensive to compute.
void CudaWriter::planKept() {
  std::map<ScalarId, int> firstPass;
  for (int pass = 0; pass < analysis_.passes; ++pass) {
    const auto roots = rootsOf(program_, reductionsIn(program_, nest_, analysis_, pass),
                               storesIn(nest_, analysis_, pass, true));
    const auto isKnown = [&](ScalarId id) {
      const auto kept = kept_.find(id);
      const bool isEarlier = kept != kept_.end() && firstPass.at(id) < pass;
      return !analysis_.isInner(id) || (isEarlier && program_.body[id].op != ScalarOp::kLoad);
    };
    // First what was computed before, so that what only it needs is not kept.
    std::vector<ScalarId> again;
    for (const ScalarId id : neededFor(program_, analysis_, roots, isKnown)) {
      const Scalar& scalar = program_.body[id];
      const bool isNew = firstPass.emplace(id, pass).second;
      if (!isNew && (scalar.op == ScalarOp::kLoad || isExpensive(scalar.op))) again.push_back(id);
    }
    for (auto id = again.rbegin(); id != again.rend(); ++id) {
      const auto still = neededFor(program_, analysis_, roots, isKnown);
      if (std::find(still.begin(), still.end(), *id) == still.end()) continue;
      kept_.emplace(*id, fmt::format("kept{}", static_cast<int>(*id)));
    }
  }
}

void CudaWriter::writeRows() {
  std::vector<size_t> outer;
  for (size_t i = 0; i < nest_.outerCount; ++i) outer.push_back(i);
  const Index rows = productOf(nest_.outer());
  kernel_.threads = rowThreads_ * rowsPerBlock_;
  kernel_.blocks = rows;
  if (rowsPerBlock_ > 1) {
    const int64_t each = rowsPerBlock_;
    kernel_.blocks = rows.isConstant() ? Index((rows.constant() + each - 1) / each)
                                       : floorDivided(rows + (each - 1), each);
    text_.line(fmt::format("const int t = threadIdx.x % {};", rowThreads_));
    text_.line(fmt::format("const idx_t row = (idx_t)blockIdx.x * {} + threadIdx.x / {};", each,
                           rowThreads_));
    text_.line(fmt::format("if (row >= {}) return;", code_.index(rows)));
  } else {
    text_.line("const int t = threadIdx.x;");
    text_.line("const idx_t row = blockIdx.x;");
  }
  decode("row", outer);
  text_.line(fmt::format("const idx_t count = {};", code_.index(productOf(nest_.inner()))));
  if (vectorsPerThread_ == 0) kept_.clear();
  for (const auto& [id, array] : kept_) {
    const Scalar& scalar = program_.body[id];
    const bool isPacked = width_ > 1 && isVectorLoad(id, nest_.sizes.size() - 1);
    text_.line(fmt::format("{} {}[{}][{}];",
                           isPacked ? ScalarCode::storageName(program_.buffer(scalar.buffer).type)
                                    : ScalarCode::typeName(scalar.type),
                           array, vectorsPerThread_, width_));
  }
  for (int pass = 0; pass < analysis_.passes; ++pass) writeRowPass(pass);
}

void CudaWriter::writeRowPass(int pass) {
  for (const ScalarId id : analysis_.order) {
    if (!analysis_.isInner(id) && analysis_.pass(id) == pass) define(id);
  }
  if (const auto stores = storesIn(nest_, analysis_, pass, false); !stores.empty()) {
    text_.open("if (t == 0)");
    for (const LoopStore& each : stores) store(each);
    text_.close();
  }
  const auto reductions = reductionsIn(program_, nest_, analysis_, pass);
  const auto stores = storesIn(nest_, analysis_, pass, true);
  if (reductions.empty() && stores.empty()) return;
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    text_.line(fmt::format("{} r{} = {};", accumulatorType(reduction), static_cast<int>(id),
                           identityText(program_, reduction)));
  }
  if (vectorsPerThread_ > 0) {
    text_.line("#pragma unroll");
    text_.open(fmt::format("for (int n = 0; n < {}; ++n)", vectorsPerThread_));
    text_.line(fmt::format("const idx_t at = (idx_t)(n * {} + t) * {};", rowThreads_, width_));
    const Index count = productOf(nest_.inner());
    const bool isFull = count.is(vectorsPerThread_ * rowThreads_ * width_);
    text_.open(isFull ? "" : "if (at < count)");
  } else {
    text_.line("#pragma unroll 4");
    text_.open(fmt::format("for (idx_t at = (idx_t)t * {0}; at < count; at += {1})", width_,
                           rowThreads_ * width_));
  }
  writeRowBody(pass, reductions, stores);
  text_.close();
  if (vectorsPerThread_ > 0) text_.close();
  writeRowResults(reductions);
}

void CudaWriter::writeRowBody(int pass, const std::vector<ReductionId>& reductions,
                              const std::vector<LoopStore>& stores) {
  const size_t last = nest_.sizes.size() - 1;
  std::string start = "at";
  if (nest_.inner().size() > 1) {
    std::vector<size_t> around;
    for (size_t i = nest_.outerCount; i < last; ++i) around.push_back(i);
    text_.line(fmt::format("const idx_t above = at / ({0}), start = at % ({0});", size(last)));
    decode("above", around);
    start = "start";
  }
  // Kept values of earlier passes are there; they are computed where they are first needed.
  std::vector<ScalarId> computed;
  for (const auto& [id, array] : kept_) {
    if (analysis_.pass(id) < pass && code_.names.contains(id)) computed.push_back(id);
  }
  const auto isKnown = [&](ScalarId id) {
    return !analysis_.isInner(id) ||
           std::find(computed.begin(), computed.end(), id) != computed.end();
  };
  const auto scalars =
      neededFor(program_, analysis_, rootsOf(program_, reductions, stores), isKnown);
  writeVector(last, start, scalars, stores, [&] {
    for (const ReductionId id : reductions) {
      const LoopReduction& reduction = program_.reduction(id);
      text_.line(accumulate(reduction, fmt::format("r{}", static_cast<int>(id)),
                            code_.reference(reduction.input)));
    }
  });
  for (const ScalarId id : scalars) {
    const auto kept = kept_.find(id);
    if (kept == kept_.end()) continue;
    const Scalar& scalar = program_.body[id];
    const std::string place = kept->second + "[n][k]";
    const bool isPacked = width_ > 1 && isVectorLoad(id, last);
    code_.names[id] = isPacked ? code_.loaded(place, program_.buffer(scalar.buffer).type) : place;
  }
}

void CudaWriter::writeRowResults(const std::vector<ReductionId>& reductions) {
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    const int number = static_cast<int>(id);
    const std::string type = accumulatorType(reduction);
    code_.need("row_reduce");
    if (rowThreads_ > 32) {
      text_.line(fmt::format("__shared__ {} shared{}[{}];", type, number, rowThreads_ / 32));
    }
    text_.line(fmt::format(
        "const {0} reduced{1} = row_reduce<{2}>(r{1}, {3}(), ({0}){4}, {5});", type, number,
        rowThreads_, joinName(reduction.op), identityText(program_, reduction),
        rowThreads_ > 32 ? fmt::format("shared{}", number) : fmt::format("({}*)nullptr", type)));
    code_.reductions[id] = fmt::format("reduced{}", number);
  }
}

}  // namespace jitscope::compiler
