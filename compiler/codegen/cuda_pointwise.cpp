#include <fmt/format.h>

#include <algorithm>

#include "compiler/codegen/cuda_writer.h"

// Pointwise kernels: a grid of threads that each take one vector and are done. Grids that stay and
// loop are 5 to 12 % slower here.
namespace jitscope::compiler {
namespace {

constexpr int kThreads = 256;
constexpr int64_t kTile = 32;      // elements of a tile's side
constexpr int64_t kScattered = 4;  // elements of a thread that has no vectors

Index blocksFor(const Index& points, int64_t each) {
  if (points.isConstant()) return (points.constant() + each - 1) / each;
  return floorDivided(points + (each - 1), each);
}

}  // namespace

void CudaWriter::writePointwise() {
  const size_t last = nest_.sizes.size() - 1;
  if (const auto across = loopAcross()) return writeTiles(*across);
  planVectors(last, nest_.sizes[last]);
  kernel_.threads = kThreads;
  const Index points = productOf(nest_.sizes);
  if (width_ == 1) {
    kernel_.blocks = blocksFor(points, kThreads * kScattered);
    return writeScattered();
  }
  kernel_.blocks = blocksFor(points, kThreads * width_);
  text_.line(fmt::format("const idx_t points = {};", code_.index(points)));
  text_.line(fmt::format("const idx_t at = ((idx_t)blockIdx.x * {} + threadIdx.x) * {};", kThreads,
                         width_));
  text_.line("if (at >= points) return;");
  std::vector<size_t> outer;
  for (size_t i = 0; i < last; ++i) outer.push_back(i);
  std::string start = "at";
  if (last > 0) {
    text_.line(
        fmt::format("const idx_t row = at / ({}), start = at % ({});", size(last), size(last)));
    decode("row", outer);
    start = "start";
  }
  std::vector<ScalarId> inside;
  for (const ScalarId id : analysis_.order) {
    if (analysis_.uses(id, last)) {
      inside.push_back(id);
    } else {
      define(id);
    }
  }
  writeVector(last, start, inside, nest_.stores, nullptr);
}

void CudaWriter::writeScattered() {
  std::vector<size_t> loops;
  for (size_t i = 0; i < nest_.sizes.size(); ++i) loops.push_back(i);
  text_.line(fmt::format("const idx_t points = {};", code_.index(productOf(nest_.sizes))));
  text_.line("#pragma unroll");
  text_.open(fmt::format("for (int k = 0; k < {}; ++k)", kScattered));
  text_.line(fmt::format("const idx_t at = ((idx_t)blockIdx.x * {} + k) * {} + threadIdx.x;",
                         kScattered, kThreads));
  text_.open("if (at < points)");
  decode("at", loops);
  for (const ScalarId id : analysis_.order) define(id);
  for (const LoopStore& each : nest_.stores) store(each);
  text_.close();
  text_.close();
}

/// The loop along which some loads go, while the stores go along the last one.
std::optional<size_t> CudaWriter::loopAcross() const {
  const size_t last = nest_.sizes.size() - 1;
  if (nest_.sizes[last].evaluate(program_.hints) < kTile / 2) return std::nullopt;
  for (const ScalarId id : analysis_.order) {
    const Scalar& scalar = program_.body[id];
    if (scalar.op != ScalarOp::kLoad || !scalar.operands.empty()) continue;
    if (!analysis_.uses(id, last) || isAlong(scalar.index, last)) continue;
    for (size_t loop = 0; loop < last; ++loop) {
      const int64_t size = nest_.sizes[loop].evaluate(program_.hints);
      if (isAlong(scalar.index, loop) && size >= kTile / 2) return loop;
    }
  }
  return std::nullopt;
}

void CudaWriter::writeTiles(size_t across) {
  const size_t last = nest_.sizes.size() - 1;
  const auto tilesOf = [&](size_t loop) { return blocksFor(nest_.sizes[loop], kTile); };
  const std::string lastTiles = code_.index(tilesOf(last)),
                    acrossTiles = code_.index(tilesOf(across));
  std::vector<size_t> others;
  kernel_.threads = kThreads;
  kernel_.blocks = tilesOf(last) * tilesOf(across);
  for (size_t i = 0; i < last; ++i) {
    if (i == across) continue;
    others.push_back(i);
    kernel_.blocks = kernel_.blocks * nest_.sizes[i];
  }
  text_.line("const int x = threadIdx.x % 32, y = threadIdx.x / 32;");
  text_.line(fmt::format("const idx_t tile = (idx_t)blockIdx.x, above = tile / ({}) / ({});",
                         lastTiles, acrossTiles));
  text_.line(fmt::format("const idx_t left = tile % ({}) * {};", lastTiles, kTile));
  text_.line(
      fmt::format("const idx_t top = tile / ({}) % ({}) * {};", lastTiles, acrossTiles, kTile));
  decode("above", others);
  // Loads across come along their own memory first, and are turned on the way through the tile.
  const auto openTile = [&](const char* alongLast, const char* alongAcross) {
    text_.line("#pragma unroll");
    text_.open(fmt::format("for (int k = 0; k < {}; ++k)", kTile * kTile / kThreads));
    text_.line(fmt::format("const idx_t i{} = left + {}, i{} = top + {};", last, alongLast, across,
                           alongAcross));
    text_.open(fmt::format("if (i{} < {} && i{} < {})", last, size(last), across, size(across)));
  };
  std::vector<ScalarId> turned;
  for (const ScalarId id : analysis_.order) {
    const Scalar& scalar = program_.body[id];
    const bool isPlain = scalar.op == ScalarOp::kLoad && scalar.operands.empty();
    if (!isPlain || !isAlong(scalar.index, across) || !analysis_.uses(id, last)) continue;
    turned.push_back(id);
    text_.line(fmt::format("__shared__ {} turned{}[{}][{}];",
                           ScalarCode::storageName(program_.buffer(scalar.buffer).type),
                           static_cast<int>(id), kTile, kTile + 1));
  }
  openTile("y + 8 * k", "x");
  for (const ScalarId id : turned) {
    const Scalar& scalar = program_.body[id];
    text_.line(fmt::format("turned{}[y + 8 * k][x] = {}[{}];", static_cast<int>(id),
                           code_.buffers.at(scalar.buffer), code_.index(scalar.index)));
  }
  text_.close();
  text_.close();
  text_.line("__syncthreads();");
  openTile("x", "y + 8 * k");
  for (const ScalarId id : analysis_.order) {
    if (std::find(turned.begin(), turned.end(), id) == turned.end()) {
      define(id);
      continue;
    }
    const Scalar& scalar = program_.body[id];
    const std::string place = fmt::format("turned{}[x][y + 8 * k]", static_cast<int>(id));
    text_.line(fmt::format("const {} v{} = {};", ScalarCode::typeName(scalar.type),
                           static_cast<int>(id),
                           code_.loaded(place, program_.buffer(scalar.buffer).type)));
  }
  for (const LoopStore& each : nest_.stores) store(each);
  text_.close();
  text_.close();
}

}  // namespace jitscope::compiler
