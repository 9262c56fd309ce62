#include <fmt/format.h>

#include <algorithm>

#include "compiler/codegen/cpu_writer.h"

// Reductions along rows of memory. Each item is a row; a pass goes over it once, gathers what can
// be gathered by then, and stores what can be stored by then. The row comes from memory in the
// first pass and from a cache in the others.
namespace jitscope::compiler {
namespace {

// So many numbers are added in float before their sum goes to a double.
constexpr int64_t kBlock = 2048;

std::string_view foldSign(ReductionOp op) {
  switch (op) {
    case ReductionOp::kSum:
      return "+";
    case ReductionOp::kProduct:
      return "*";
    case ReductionOp::kMaximum:
      return "max";
    case ReductionOp::kMinimum:
      return "min";
    case ReductionOp::kAny:
      return "|";
    case ReductionOp::kAll:
      return "&";
  }
  return "";
}

}  // namespace

void CpuWriter::writeRows() {
  std::vector<size_t> outer;
  for (size_t i = 0; i < nest_.outerCount; ++i) outer.push_back(i);
  kernel_.items = productOf(nest_.outer());
  kernel_.pointsPerItem = productOf(nest_.inner());
  text_.open("for (long long item = begin; item < end; ++item)");
  decode("item", outer);
  for (int pass = 0; pass < analysis_.passes; ++pass) writeRowPass(pass);
  text_.close();
}

void CpuWriter::writeRowPass(int pass) {
  for (const ScalarId id : analysis_.order) {
    if (!analysis_.isInner(id) && analysis_.pass(id) == pass) text_.line(code_.definition(id));
  }
  for (const LoopStore& each : storesIn(nest_, analysis_, pass, false)) store(each);
  const auto reductions = reductionsIn(program_, nest_, analysis_, pass);
  const auto stores = storesIn(nest_, analysis_, pass, true);
  if (reductions.empty() && stores.empty()) return;
  openRowReductions(reductions);
  const auto body = neededFor(program_, analysis_, rootsOf(program_, reductions, stores),
                              [&](ScalarId id) { return !analysis_.isInner(id); });
  // Loops around the vectorised one; each value as far outside as it can be.
  const size_t last = nest_.sizes.size() - 1;
  std::vector<ScalarId> rest = body;
  for (size_t loop = nest_.outerCount; loop < last; ++loop) {
    openLoop(loop);
    const auto isHere = [&](ScalarId id) {
      return (analysis_.facts.at(id).loops & analysis_.innerLoops) >> (loop + 1) == 0;
    };
    for (const ScalarId id : rest) {
      if (isHere(id)) text_.line(code_.definition(id));
    }
    std::erase_if(rest, isHere);
  }
  writeRowLoop(reductions, rest, stores);
  for (size_t loop = nest_.outerCount; loop < last; ++loop) text_.close();
  closeRowReductions(reductions);
}

void CpuWriter::openRowReductions(const std::vector<ReductionId>& reductions) {
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    text_.line(fmt::format("{} r{} = {};", accumulatorType(reduction, true), static_cast<int>(id),
                           identityText(program_, reduction)));
    const bool isExtremum =
        reduction.op == ReductionOp::kMaximum || reduction.op == ReductionOp::kMinimum;
    if (isExtremum && isFloat(id)) text_.line(fmt::format("int n{} = 0;", static_cast<int>(id)));
  }
}

void CpuWriter::writeRowLoop(const std::vector<ReductionId>& reductions,
                             const std::vector<ScalarId>& body,
                             const std::vector<LoopStore>& stores) {
  const size_t last = nest_.sizes.size() - 1;
  std::string clauses, begin, inside, end;
  bool hasSum = false;
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    const int number = static_cast<int>(id);
    const std::string input = code_.reference(reduction.input);
    const bool isExtremum =
        reduction.op == ReductionOp::kMaximum || reduction.op == ReductionOp::kMinimum;
    if (reduction.op == ReductionOp::kSum && isFloat(id)) {
      hasSum = true;
      begin += fmt::format("{} t{} = 0;\n", accumulatorType(reduction, false), number);
      clauses += fmt::format(" reduction(+:t{})", number);
      inside += fmt::format("t{} += {};\n", number, input);
      end += fmt::format("r{0} += t{0};\n", number);
      continue;
    }
    clauses += fmt::format(" reduction({}:r{})", foldSign(reduction.op), number);
    if (!isExtremum) {
      inside += fmt::format("r{} {}= {};\n", number, foldSign(reduction.op), input);
      continue;
    }
    const char* sign = reduction.op == ReductionOp::kMaximum ? ">" : "<";
    inside += fmt::format("r{0} = {1} {2} r{0} ? {1} : r{0};\n", number, input, sign);
    if (!isFloat(id)) continue;
    // The comparison passes over NaN: it is told by itself.
    clauses += fmt::format(" reduction(|:n{})", number);
    inside += fmt::format("n{0} |= {1} != {1};\n", number, input);
  }
  const Index& count = nest_.sizes[last];
  const bool isShort = count.isConstant() && count.constant() <= kBlock;
  const bool isBlocked = hasSum && !isShort;
  std::string from = "0", to = size(last);
  if (isBlocked) {
    text_.open(fmt::format("for (long long b = 0; b < {}; b += {})", to, kBlock));
    text_.line(fmt::format("const long long e = b + {0} < {1} ? b + {0} : {1};", kBlock, to));
    from = "b";
    to = "e";
  } else if (hasSum) {
    text_.open("");
  }
  text_.lines(begin);
  text_.line("#pragma omp simd" + clauses);
  text_.open(fmt::format("for (long long i{0} = {1}; i{0} < {2}; ++i{0})", last, from, to));
  define(body);
  text_.lines(inside);
  for (const LoopStore& each : stores) store(each);
  text_.close();
  text_.lines(end);
  if (hasSum) text_.close();
}

void CpuWriter::closeRowReductions(const std::vector<ReductionId>& reductions) {
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    const ElementType type = program_.body[reduction.input].type;
    const int number = static_cast<int>(id);
    std::string value = fmt::format("r{}", number);
    const bool isExtremum =
        reduction.op == ReductionOp::kMaximum || reduction.op == ReductionOp::kMinimum;
    if (isExtremum && isFloat(id)) {
      value =
          fmt::format("n{0} ? ({1})__builtin_nan(\"\") : r{0}", number, ScalarCode::typeName(type));
    } else if (reduction.op == ReductionOp::kAny || reduction.op == ReductionOp::kAll) {
      value += " != 0";
    } else {
      value = fmt::format("({}){}", ScalarCode::typeName(type), value);
    }
    const std::string_view name =
        ScalarCode::typeName(reduction.op >= ReductionOp::kAny ? ElementType::kBool : type);
    text_.line(fmt::format("[[maybe_unused]] const {} reduced{} = {};", name, number, value));
    code_.reductions[id] = fmt::format("reduced{}", number);
  }
}

}  // namespace jitscope::compiler
