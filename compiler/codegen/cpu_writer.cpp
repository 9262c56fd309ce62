#include "compiler/codegen/cpu_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "compiler/schedule/fusion.h"

namespace jitscope::compiler {
std::string kernelName(std::string_view prefix, const LoopNest& nest, size_t number) {
  constexpr size_t kMostLetters = 100;
  std::string operators = operatorsText(nest);
  if (operators.size() > kMostLetters) operators.resize(operators.rfind('_', kMostLetters));
  return fmt::format("{}_{}_{}", prefix, operators, number);
}

CpuWriter::CpuWriter(LoopProgram& program, const LoopNest& nest, const std::string& name)
    : program_(program),
      nest_(collapsed(program, nest)),
      analysis_(analyze(program, nest_)),
      code_(program) {
  kernel_.name = name;
  if (nest_.sizes.empty()) {
    // One point, as a loop that runs once.
    nest_.sizes = {Index(1)};
    nest_.outerCount = 1;
  } else if (nest_.hasReduction() && nest_.inner().empty()) {
    nest_.sizes.push_back(Index(1));
  }
}

CpuKernel CpuWriter::write() {
  begin();
  if (!nest_.hasReduction()) {
    writePointwise();
  } else if (isColumnReduction(program_, nest_, analysis_)) {
    writeColumns();
  } else {
    writeRows();
  }
  text_.close();
  kernel_.code = text_.take();
  kernel_.functions = code_.functions();
  return std::move(kernel_);
}

void CpuWriter::begin() {
  std::string sizes;
  for (size_t i = 0; i < nest_.sizes.size(); ++i) {
    sizes += i == 0 ? "" : i == nest_.outerCount ? " | " : ", ";
    sizes += nest_.sizes[i].text();
  }
  text_.line(fmt::format("// {}: [{}]", fmt::join(nest_.operators, ", "), sizes));
  text_.open(
      fmt::format("extern \"C\" void {}(void* const* buffers, const long long* sizes,\n"
                  "    long long begin, long long end)",
                  kernel_.name));
  kernel_.buffers = analysis_.buffers;
  for (size_t i = 0; i < kernel_.buffers.size(); ++i) {
    const LoopBuffer& buffer = program_.buffer(kernel_.buffers[i]);
    const std::string name = pointerName(buffer.name);
    const bool isStored =
        std::any_of(nest_.stores.begin(), nest_.stores.end(),
                    [&](const LoopStore& store) { return store.buffer == kernel_.buffers[i]; });
    const std::string type =
        fmt::format("{}{}*", isStored ? "" : "const ", ScalarCode::storageName(buffer.type));
    if (isHalf(buffer.type)) code_.need(buffer.type == ElementType::kBFloat16 ? "bf16" : "f16");
    text_.line(fmt::format("{} __restrict {} = ({})buffers[{}];", type, name, type, i));
    code_.buffers[kernel_.buffers[i]] = name;
  }
  for (size_t i = 0; i < program_.hints.size(); ++i) {
    text_.line(fmt::format("[[maybe_unused]] const long long s{} = sizes[{}];", i, i));
  }
  for (size_t i = 0; i < nest_.sizes.size(); ++i) code_.loops.push_back(fmt::format("i{}", i));
}

void CpuWriter::writePointwise() {
  const size_t last = nest_.sizes.size() - 1;
  std::vector<ScalarId> before, inside;
  for (const ScalarId id : analysis_.order) {
    (analysis_.uses(id, last) ? inside : before).push_back(id);
  }
  kernel_.items = 1;
  kernel_.pointsPerItem = 1;
  if (last == 0) {
    kernel_.items = nest_.sizes[0];
    define(before);
    text_.line("#pragma omp simd");
    text_.open("for (long long i0 = begin; i0 < end; ++i0)");
  } else {
    std::vector<size_t> outer;
    for (size_t i = 0; i < last; ++i) {
      outer.push_back(i);
      kernel_.items = kernel_.items * nest_.sizes[i];
    }
    kernel_.pointsPerItem = nest_.sizes[last];
    text_.open("for (long long item = begin; item < end; ++item)");
    decode("item", outer);
    define(before);
    text_.line("#pragma omp simd");
    openLoop(last);
  }
  define(inside);
  for (const LoopStore& each : nest_.stores) store(each);
  text_.close();
  if (last != 0) text_.close();
}

bool CpuWriter::isFloat(ReductionId id) const {
  return isFloating(program_.body[program_.reduction(id).input].type);
}

std::string CpuWriter::accumulatorType(const LoopReduction& reduction, bool isWide) const {
  const ElementType type = program_.body[reduction.input].type;
  if (reduction.op == ReductionOp::kAny || reduction.op == ReductionOp::kAll) return "int";
  // Sums of many numbers keep their digits in double.
  if (isWide && reduction.op == ReductionOp::kSum && isFloating(type)) return "double";
  return std::string(ScalarCode::typeName(type));
}

void CpuWriter::define(const std::vector<ScalarId>& scalars) {
  for (const ScalarId id : scalars) text_.line(code_.definition(id));
}

void CpuWriter::store(const LoopStore& store) {
  text_.line(fmt::format("{}[{}] = {};", code_.buffers.at(store.buffer), code_.index(store.address),
                         code_.stored(store.value, program_.buffer(store.buffer).type)));
}

void CpuWriter::openLoop(size_t loop) {
  text_.open(fmt::format("for (long long i{0} = 0; i{0} < {1}; ++i{0})", loop, size(loop)));
}

void CpuWriter::decode(const std::string& from, const std::vector<size_t>& loops) {
  for (const std::string& line : code_.counters(from, loops, nest_.sizes, "long long")) {
    text_.line(line);
  }
}

CpuKernel generateCpu(LoopProgram& program, const LoopNest& nest, const std::string& name) {
  return CpuWriter(program, nest, name).write();
}

}  // namespace jitscope::compiler
