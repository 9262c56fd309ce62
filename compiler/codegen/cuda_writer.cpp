#include "compiler/codegen/cuda_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "compiler/codegen/generated_kernel.h"

namespace jitscope::compiler {
namespace {

/// Whether every address fits into 32 bits, whatever the sizes, and every position that a loop
/// steps to past its end.
bool isSmall(const LoopProgram& program, const LoopNest& nest, const NestAnalysis& analysis) {
  // The widest step is that of 1024 threads with vectors of 16 elements.
  constexpr int64_t kMost = (int64_t{1} << 31) - 65536;
  const auto isBelow = [&](const Index& count) {
    return count.isConstant() && count.constant() < kMost;
  };
  return isBelow(productOf(nest.sizes)) &&
         std::all_of(analysis.buffers.begin(), analysis.buffers.end(), [&](BufferId id) {
           const LoopBuffer& buffer = program.buffer(id);
           Index last;
           for (size_t i = 0; i < buffer.sizes.size(); ++i) {
             last += (buffer.sizes[i] - 1) * buffer.strides[i];
           }
           return isBelow(last);
         });
}

bool isMultiple(const Index& value, int64_t width) {
  return std::all_of(value.terms().begin(), value.terms().end(),
                     [&](const IndexTerm& term) { return term.factor % width == 0; });
}

std::string_view prefixOf(const LoopNest& nest) {
  return nest.hasReduction() ? "cuda_red_fused" : "cuda_poi_fused";
}

}  // namespace

std::string_view joinName(ReductionOp op) {
  constexpr std::array<std::string_view, 6> kNames{"join_sum", "join_product", "join_max",
                                                   "join_min", "join_or",      "join_and"};
  return kNames[static_cast<size_t>(op)];
}

CudaWriter::CudaWriter(LoopProgram& program, const LoopNest& nest, size_t number,
                       const CudaForm& form)
    : program_(program),
      nest_(collapsed(program, nest)),
      analysis_(analyze(program, nest_)),
      code_(program),
      form_(form) {
  if (nest_.sizes.empty()) {
    nest_.sizes = {Index(1)};
    nest_.outerCount = 1;
  } else if (nest_.hasReduction() && nest_.inner().empty()) {
    nest_.sizes.push_back(Index(1));
  }
  for (size_t i = 0; i < nest_.sizes.size(); ++i) code_.loops.push_back(fmt::format("i{}", i));
  const bool isRow = nest_.hasReduction() && !isColumnReduction(program_, nest_, analysis_);
  if (isRow) planRow();
  const bool isPersistent = isRow && vectorsPerThread_ > 0;
  kernel_.name = kernelName(isPersistent ? "cuda_per_fused" : prefixOf(nest_), nest_, number);
  kernel_.buffers = analysis_.buffers;
}

CudaKernel CudaWriter::write() {
  writeSignature();
  if (!nest_.hasReduction()) {
    writePointwise();
  } else if (isColumnReduction(program_, nest_, analysis_)) {
    writeColumns();
  } else {
    writeRows();
  }
  text_.close();
  std::string body = text_.take();
  kernel_.code = fmt::format("namespace {0}_types {{ typedef {1} idx_t; }}\n", kernel_.name,
                             isSmall(program_, nest_, analysis_) ? "int" : "long long");
  kernel_.code += body;
  kernel_.functions = code_.functions();
  for (const BufferId id : kernel_.buffers) {
    kernel_.alignments.push_back(width_ * sizeBytes(program_.buffer(id).type));
  }
  return std::move(kernel_);
}

void CudaWriter::writeSignature() {
  std::string sizes, parameters;
  for (size_t i = 0; i < nest_.sizes.size(); ++i) {
    sizes += i == 0 ? "" : i == nest_.outerCount ? " | " : ", ";
    sizes += nest_.sizes[i].text();
  }
  for (const BufferId id : kernel_.buffers) {
    const LoopBuffer& buffer = program_.buffer(id);
    const std::string name = pointerName(buffer.name);
    const bool isStored = std::any_of(nest_.stores.begin(), nest_.stores.end(),
                                      [&](const LoopStore& store) { return store.buffer == id; });
    if (isHalf(buffer.type)) code_.need(buffer.type == ElementType::kBFloat16 ? "bf16" : "f16");
    parameters += fmt::format("{}{}{}* __restrict__ {}", parameters.empty() ? "" : ", ",
                              isStored ? "" : "const ", ScalarCode::storageName(buffer.type), name);
    code_.buffers[id] = name;
  }
  for (size_t i = 0; i < program_.hints.size(); ++i) {
    parameters += fmt::format(", long long s{}", i);
  }
  text_.line(fmt::format("// {}: [{}]", fmt::join(nest_.operators, ", "), sizes));
  text_.open(fmt::format("extern \"C\" __global__ void __launch_bounds__(LAUNCH_{0}) {0}({1})",
                         kernel_.name, parameters));
  text_.line(fmt::format("using namespace {}_types;", kernel_.name));
}

bool CudaWriter::isAlong(const Index& address, size_t loop) const {
  const auto stride = address.strideOf(static_cast<LoopId>(loop));
  return stride && stride->is(1);
}

bool CudaWriter::becomesMultiple(const Index& value, int64_t width) {
  for (const IndexTerm& term : value.terms()) {
    if (term.factor % width == 0) continue;
    // The sizes in the term may make it one, which shows when the kernel is launched.
    Index sizes(term.factor);
    bool hasSymbol = false;
    for (const IndexAtom& atom : term.atoms) {
      if (atom.kind != IndexAtom::Kind::kSymbol) continue;
      sizes = sizes * Index::of(atom);
      hasSymbol = true;
    }
    if (!hasSymbol) return false;
    kernel_.multiples.emplace_back(sizes, width);
  }
  return true;
}

bool CudaWriter::isVectorLoad(ScalarId id, size_t loop) const {
  const Scalar& scalar = program_.body[id];
  if (scalar.op != ScalarOp::kLoad || !isAlong(scalar.index, loop)) return false;
  if (scalar.operands.empty()) return true;
  const Index rest = scalar.index - Index::loop(static_cast<LoopId>(loop));
  return isUniform(scalar.operands[0], loop) && isMultiple(rest, width_);
}

bool CudaWriter::isUniform(ScalarId condition, size_t loop) const {
  const Scalar& scalar = program_.body[condition];
  switch (scalar.op) {
    case ScalarOp::kConstant:
      return true;
    case ScalarOp::kAnd:
    case ScalarOp::kOr:
      return isUniform(scalar.operands[0], loop) && isUniform(scalar.operands[1], loop);
    case ScalarOp::kLess:
    case ScalarOp::kLessEqual:
      break;
    default:
      return false;
  }
  // It turns where the two sides meet, which must be between two vectors.
  Index distance;
  for (size_t i = 0; i < 2; ++i) {
    const Scalar& side = program_.body[scalar.operands[i]];
    if (side.op != ScalarOp::kPosition && side.op != ScalarOp::kConstant) return false;
    const Index value = side.op == ScalarOp::kConstant ? Index(side.integer) : side.index;
    distance += i == 0 ? value : -value;
  }
  const auto stride = distance.strideOf(static_cast<LoopId>(loop));
  if (!stride || !stride->isConstant() || std::abs(stride->constant()) > 1) return false;
  return isMultiple(distance - *stride * Index::loop(static_cast<LoopId>(loop)), width_);
}

std::string CudaWriter::conditionText(ScalarId id) {
  const Scalar& scalar = program_.body[id];
  if (scalar.op == ScalarOp::kPosition || scalar.op == ScalarOp::kConstant) {
    return code_.expression(id);
  }
  const char* sign = scalar.op == ScalarOp::kAnd    ? "&"
                     : scalar.op == ScalarOp::kOr   ? "|"
                     : scalar.op == ScalarOp::kLess ? "<"
                                                    : "<=";
  return fmt::format("({} {} {})", conditionText(scalar.operands[0]), sign,
                     conditionText(scalar.operands[1]));
}

void CudaWriter::planVectors(size_t loop, const Index& run) {
  int64_t largest = 1;
  std::vector<Index> starts{run};
  const auto see = [&](BufferId buffer, const Index& address) {
    largest = std::max(largest, sizeBytes(program_.buffer(buffer).type));
    starts.push_back(address - Index::loop(static_cast<LoopId>(loop)));
  };
  for (const ScalarId id : analysis_.order) {
    const Scalar& scalar = program_.body[id];
    const bool isPlain = scalar.op == ScalarOp::kLoad && scalar.operands.empty();
    if (isPlain && isAlong(scalar.index, loop)) see(scalar.buffer, scalar.index);
  }
  for (const LoopStore& store : nest_.stores) {
    if (isAlong(store.address, loop)) see(store.buffer, store.address);
  }
  width_ = starts.size() == 1 ? 1 : std::max<int64_t>(form_.vectorBytes / largest, 1);
  for (; width_ > 1; width_ /= 2) {
    kernel_.multiples.clear();
    const auto fits = [&](const Index& start) { return becomesMultiple(start, width_); };
    if (std::all_of(starts.begin(), starts.end(), fits)) break;
  }
  if (width_ == 1) kernel_.multiples.clear();
}

void CudaWriter::define(ScalarId id) {
  const auto array = arrays_.find(id);
  const Scalar& scalar = program_.body[id];
  if (array == arrays_.end()) return text_.line(code_.definition(id));
  text_.line(fmt::format("const {} v{} = {};", ScalarCode::typeName(scalar.type),
                         static_cast<int>(id),
                         code_.loaded(array->second + "[k]", program_.buffer(scalar.buffer).type)));
}

void CudaWriter::store(const LoopStore& store) {
  text_.line(fmt::format("{}[{}] = {};", code_.buffers.at(store.buffer), code_.index(store.address),
                         code_.stored(store.value, program_.buffer(store.buffer).type)));
}

void CudaWriter::loadVectors(size_t loop, const std::vector<ScalarId>& scalars) {
  for (const ScalarId id : scalars) {
    if (width_ == 1 || !isVectorLoad(id, loop)) continue;
    const Scalar& scalar = program_.body[id];
    const auto kept = kept_.find(id);
    std::string array = fmt::format("x{}", static_cast<int>(id));
    if (kept != kept_.end()) {
      array = kept->second + "[n]";
    } else {
      text_.line(fmt::format("{} {}[{}];",
                             ScalarCode::storageName(program_.buffer(scalar.buffer).type), array,
                             width_));
    }
    code_.need("load_vector");
    const std::string call =
        fmt::format("load_vector({}, {} + {});", array, code_.buffers.at(scalar.buffer),
                    code_.index(scalar.index));
    if (scalar.operands.empty()) {
      text_.line(call);
    } else {
      text_.line(fmt::format("if ({}) {}", code_.reference(scalar.operands[0]), call));
      text_.line(fmt::format("else for (int k = 0; k < {}; ++k) {}[k] = 0;", width_, array));
    }
    arrays_[id] = array;
  }
}

void CudaWriter::writeVector(size_t loop, const std::string& start,
                             const std::vector<ScalarId>& scalars,
                             const std::vector<LoopStore>& stores,
                             const std::function<void()>& inside) {
  const std::string variable = code_.loops[loop];
  arrays_.clear();
  code_.loops[loop] = start;
  std::vector<ScalarId> each;
  for (const ScalarId id : scalars) {
    // A condition that holds for all of a vector or for none is asked once.
    const bool isOnce = width_ > 1 && program_.body[id].type == ElementType::kBool &&
                        program_.body[id].op != ScalarOp::kConstant && isUniform(id, loop);
    if (!isOnce) {
      each.push_back(id);
      continue;
    }
    text_.line(fmt::format("const bool v{} = {};", static_cast<int>(id), conditionText(id)));
  }
  loadVectors(loop, each);
  std::vector<std::string> after;
  for (size_t i = 0; width_ > 1 && i < stores.size(); ++i) {
    if (!isAlong(stores[i].address, loop)) continue;
    const std::string_view type = ScalarCode::storageName(program_.buffer(stores[i].buffer).type);
    text_.line(fmt::format("{} y{}[{}];", type, i, width_));
    code_.need("store_vector");
    after.push_back(fmt::format("store_vector(y{}, {} + {});", i,
                                code_.buffers.at(stores[i].buffer),
                                code_.index(stores[i].address)));
  }
  code_.loops[loop] = variable;
  text_.line("#pragma unroll");
  text_.open(fmt::format("for (int k = 0; k < {}; ++k)", width_));
  text_.line(fmt::format("[[maybe_unused]] const idx_t {} = {} + k;", variable, start));
  for (const ScalarId id : each) {
    define(id);
    const auto kept = kept_.find(id);
    if (kept != kept_.end() && !arrays_.contains(id)) {
      text_.line(fmt::format("{}[n][k] = v{};", kept->second, static_cast<int>(id)));
    }
  }
  if (inside) inside();
  for (size_t i = 0; i < stores.size(); ++i) {
    if (width_ > 1 && isAlong(stores[i].address, loop)) {
      text_.line(
          fmt::format("y{}[k] = {};", i,
                      code_.stored(stores[i].value, program_.buffer(stores[i].buffer).type)));
    } else {
      store(stores[i]);
    }
  }
  text_.close();
  for (const std::string& line : after) text_.line(line);
  arrays_.clear();
}

void CudaWriter::decode(const std::string& from, const std::vector<size_t>& loops) {
  for (const std::string& line : code_.counters(from, loops, nest_.sizes, "idx_t")) {
    text_.line(line);
  }
}

std::string CudaWriter::accumulatorType(const LoopReduction& reduction) const {
  const bool isTruth = reduction.op == ReductionOp::kAny || reduction.op == ReductionOp::kAll;
  return std::string(isTruth ? "bool" : ScalarCode::typeName(program_.body[reduction.input].type));
}

std::string CudaWriter::accumulate(const LoopReduction& reduction, const std::string& place,
                                   const std::string& value) const {
  return fmt::format("{0} = {1}()({0}, {2});", place, joinName(reduction.op), value);
}

CudaKernel generateCuda(LoopProgram& program, const LoopNest& nest, size_t number,
                        const CudaForm& form) {
  return CudaWriter(program, nest, number, form).write();
}

}  // namespace jitscope::compiler
