#include <fmt/format.h>

#include <algorithm>

#include "compiler/codegen/cuda_writer.h"

// Reductions across rows. The threads of a warp stand side by side over the columns, a vector each,
// and the warps of a block take the rows in turns.
namespace jitscope::compiler {
namespace {

constexpr int kWarps = 8;

}  // namespace

void CudaWriter::writeColumns() {
  const size_t column = nest_.outerCount - 1;
  planVectors(column, nest_.sizes[column]);
  const Index& columns = nest_.sizes[column];
  const int64_t panel = 32 * width_;
  const Index panels = columns.isConstant() ? Index((columns.constant() + panel - 1) / panel)
                                            : floorDivided(columns + (panel - 1), panel);
  kernel_.threads = 32 * kWarps;
  kernel_.blocks = panels;
  std::vector<size_t> outer;
  for (size_t i = 0; i < column; ++i) {
    outer.push_back(i);
    kernel_.blocks = kernel_.blocks * nest_.sizes[i];
  }
  text_.line("const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;");
  text_.line(fmt::format(
      "const idx_t panel = (idx_t)blockIdx.x % ({0}), above = (idx_t)blockIdx.x / ({0});",
      code_.index(panels)));
  decode("above", outer);
  text_.line(fmt::format("const idx_t first = (panel * 32 + lane) * {};", width_));
  text_.line(fmt::format("const idx_t rest = {} - first;", code_.index(columns)));
  text_.line(fmt::format("const idx_t count = {};", code_.index(productOf(nest_.inner()))));
  for (int pass = 0; pass < analysis_.passes; ++pass) writeColumnPass(pass);
}

void CudaWriter::writeColumnPass(int pass) {
  const size_t column = nest_.outerCount - 1;
  for (const ScalarId id : analysis_.order) {
    if (analysis_.isInner(id) || analysis_.uses(id, column) || analysis_.pass(id) != pass) continue;
    define(id);
  }
  const auto isKnown = [&](ScalarId id) {
    return !analysis_.isInner(id) && !analysis_.uses(id, column);
  };
  if (const auto stores = storesIn(nest_, analysis_, pass, false); !stores.empty()) {
    text_.open("if (warp == 0 && rest > 0)");
    writeVector(column, "first",
                neededFor(program_, analysis_, rootsOf(program_, {}, stores), isKnown), stores,
                nullptr);
    text_.close();
  }
  const auto reductions = reductionsIn(program_, nest_, analysis_, pass);
  const auto stores = storesIn(nest_, analysis_, pass, true);
  if (reductions.empty() && stores.empty()) return;
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    const int number = static_cast<int>(id);
    text_.line(fmt::format("{} r{}[{}];", accumulatorType(reduction), number, width_));
    text_.line("#pragma unroll");
    text_.line(fmt::format("for (int k = 0; k < {}; ++k) r{}[k] = {};", width_, number,
                           identityText(program_, reduction)));
  }
  std::vector<size_t> inner;
  for (size_t i = nest_.outerCount; i < nest_.sizes.size(); ++i) inner.push_back(i);
  text_.open("if (rest > 0)");
  text_.line("#pragma unroll 4");
  text_.open(fmt::format("for (idx_t at = warp; at < count; at += {})", kWarps));
  decode("at", inner);
  const auto scalars =
      neededFor(program_, analysis_, rootsOf(program_, reductions, stores), isKnown);
  writeVector(column, "first", scalars, stores, [&] {
    for (const ReductionId id : reductions) {
      const LoopReduction& reduction = program_.reduction(id);
      text_.line(accumulate(reduction, fmt::format("r{}[k]", static_cast<int>(id)),
                            code_.reference(reduction.input)));
    }
  });
  text_.close();
  text_.close();
  writeColumnResults(reductions);
}

void CudaWriter::writeColumnResults(const std::vector<ReductionId>& reductions) {
  if (reductions.empty()) return;
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    const int number = static_cast<int>(id);
    text_.line(fmt::format("__shared__ {} shared{}[{}][{}];", accumulatorType(reduction), number,
                           kWarps, 32 * width_));
    text_.line("#pragma unroll");
    text_.line(fmt::format(
        "for (int k = 0; k < {0}; ++k) shared{1}[warp][k * 32 + lane] = r{1}[k];", width_, number));
  }
  text_.line("__syncthreads();");
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    const int number = static_cast<int>(id);
    text_.line(fmt::format("{} reduced{}[{}];", accumulatorType(reduction), number, width_));
    text_.line("#pragma unroll");
    text_.open(fmt::format("for (int k = 0; k < {}; ++k)", width_));
    text_.line(fmt::format("reduced{0}[k] = shared{0}[0][k * 32 + lane];", number));
    text_.line("#pragma unroll");
    text_.line(fmt::format("for (int w = 1; w < {0}; ++w) {1}", kWarps,
                           accumulate(reduction, fmt::format("reduced{}[k]", number),
                                      fmt::format("shared{}[w][k * 32 + lane]", number))));
    text_.close();
    code_.reductions[id] = fmt::format("reduced{}[k]", number);
  }
}

}  // namespace jitscope::compiler
