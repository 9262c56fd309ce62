#include <fmt/format.h>

#include <algorithm>

#include "compiler/codegen/cpu_writer.h"

// Reductions across rows of memory. An item is a panel of neighbouring results, which are gathered
// side by side while the rows go by: each line of memory is read from its start to its end.
namespace jitscope::compiler {
namespace {

constexpr int64_t kPanel = 128;

std::string fold(const LoopReduction& reduction, const std::string& place,
                 const std::string& value) {
  switch (reduction.op) {
    case ReductionOp::kSum:
      return fmt::format("{} += {};", place, value);
    case ReductionOp::kProduct:
      return fmt::format("{} *= {};", place, value);
    case ReductionOp::kMaximum:
    case ReductionOp::kMinimum:
      // NaN comes in by the second test, and nothing is greater than it later.
      return fmt::format("{0} = ({1} {2} {0}) | ({1} != {1}) ? {1} : {0};", place, value,
                         reduction.op == ReductionOp::kMaximum ? ">" : "<");
    case ReductionOp::kAny:
      return fmt::format("{} |= {};", place, value);
    case ReductionOp::kAll:
      return fmt::format("{} &= {};", place, value);
  }
  return "";
}

}  // namespace

void CpuWriter::writeColumns() {
  const size_t column = nest_.outerCount - 1;
  const Index panels = floorDivided(nest_.sizes[column] + (kPanel - 1), kPanel);
  std::vector<size_t> outer;
  kernel_.items = nest_.sizes[column].isConstant()
                      ? Index((nest_.sizes[column].constant() + kPanel - 1) / kPanel)
                      : panels;
  const std::string panelCount = code_.index(kernel_.items);
  for (size_t i = 0; i < column; ++i) {
    outer.push_back(i);
    kernel_.items = kernel_.items * nest_.sizes[i];
  }
  kernel_.pointsPerItem = productOf(nest_.inner()) * kPanel;
  text_.open("for (long long item = begin; item < end; ++item)");
  text_.line(fmt::format("const long long first = item % ({}) * {};", panelCount, kPanel));
  text_.line(fmt::format("const long long width = {0} - first < {1} ? {0} - first : {1};",
                         size(column), kPanel));
  text_.line(fmt::format("const long long above = item / ({});", panelCount));
  decode("above", outer);
  code_.loops[column] = "(first + k)";
  for (int pass = 0; pass < analysis_.passes; ++pass) writeColumnPass(pass);
  text_.close();
}

void CpuWriter::writeColumnPass(int pass) {
  writePanelValues(pass);
  const auto reductions = reductionsIn(program_, nest_, analysis_, pass);
  const auto stores = storesIn(nest_, analysis_, pass, true);
  if (reductions.empty() && stores.empty()) return;
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    const int number = static_cast<int>(id);
    const ElementType type = program_.body[reduction.input].type;
    text_.line(fmt::format("{} r{}[{}];", accumulatorType(reduction, true), number, kPanel));
    text_.line(fmt::format("for (long long k = 0; k < width; ++k) r{}[k] = {};", number,
                           identityText(program_, reduction)));
    const bool isTruth = reduction.op >= ReductionOp::kAny;
    code_.reductions[id] = isTruth
                               ? fmt::format("(r{}[k] != 0)", number)
                               : fmt::format("(({})r{}[k])", ScalarCode::typeName(type), number);
  }
  const auto body = neededFor(program_, analysis_, rootsOf(program_, reductions, stores),
                              [&](ScalarId id) { return !analysis_.isInner(id); });
  writeColumnLoop(reductions, body, stores);
}

/// What each result of the panel needs by now, in arrays over the panel; and its stores.
void CpuWriter::writePanelValues(int pass) {
  const size_t column = nest_.outerCount - 1;
  std::vector<ScalarId> values;
  for (const ScalarId id : analysis_.order) {
    if (analysis_.isInner(id) || analysis_.pass(id) != pass) continue;
    if (analysis_.uses(id, column)) {
      values.push_back(id);
    } else {
      text_.line(code_.definition(id));
    }
  }
  const auto stores = storesIn(nest_, analysis_, pass, false);
  std::erase_if(values, [&](ScalarId id) {
    const ScalarOp op = program_.body[id].op;
    return op == ScalarOp::kConstant || op == ScalarOp::kReduced;
  });
  if (values.empty() && stores.empty()) return;
  for (const ScalarId id : values) {
    text_.line(fmt::format("{} a{}[{}];", ScalarCode::typeName(program_.body[id].type),
                           static_cast<int>(id), kPanel));
  }
  text_.line("#pragma omp simd");
  text_.open("for (long long k = 0; k < width; ++k)");
  for (const ScalarId id : values) {
    text_.line(code_.definition(id));
    text_.line(fmt::format("a{0}[k] = v{0};", static_cast<int>(id)));
  }
  for (const LoopStore& each : stores) store(each);
  text_.close();
  for (const ScalarId id : values) code_.names[id] = fmt::format("a{}[k]", static_cast<int>(id));
}

void CpuWriter::writeColumnLoop(const std::vector<ReductionId>& reductions,
                                const std::vector<ScalarId>& body,
                                const std::vector<LoopStore>& stores) {
  const size_t column = nest_.outerCount - 1;
  for (size_t loop = nest_.outerCount; loop < nest_.sizes.size(); ++loop) openLoop(loop);
  std::vector<ScalarId> inside;
  for (const ScalarId id : body) {
    if (analysis_.uses(id, column)) {
      inside.push_back(id);
    } else {
      text_.line(code_.definition(id));
    }
  }
  text_.line("#pragma omp simd");
  text_.open("for (long long k = 0; k < width; ++k)");
  define(inside);
  for (const ReductionId id : reductions) {
    const LoopReduction& reduction = program_.reduction(id);
    text_.line(fold(reduction, fmt::format("r{}[k]", static_cast<int>(id)),
                    code_.reference(reduction.input)));
  }
  for (const LoopStore& each : stores) store(each);
  text_.close();
  for (size_t loop = nest_.outerCount; loop < nest_.sizes.size(); ++loop) text_.close();
}

}  // namespace jitscope::compiler
