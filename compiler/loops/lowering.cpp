#include "compiler/loops/lowering.h"

#include <algorithm>
#include <unordered_map>

#include "compiler/graph/traverse.h"
#include "compiler/loops/graph_lowering.h"
#include "compiler/loops/lowering_rules.h"

namespace jitscope::compiler {
namespace {

void mergeNames(std::vector<std::string>& into, const std::vector<std::string>& names) {
  into.insert(into.end(), names.begin(), names.end());
  std::sort(into.begin(), into.end());
  into.erase(std::unique(into.begin(), into.end()), into.end());
}

const std::unordered_map<std::string_view, LoweringRule>& ruleTable() {
  static const auto* table = [] {
    auto* rules = new std::unordered_map<std::string_view, LoweringRule>;
    for (const auto family :
         {arithmeticRules(), comparisonRules(), activationRules(), viewRules(), creationRules(),
          reductionRules(), normalizationRules(), gradientRules()}) {
      for (const NamedRule& named : family) rules->emplace(named.op, named.rule);
    }
    return rules;
  }();
  return *table;
}

}  // namespace

LoweringRule loweringRule(std::string_view op) {
  const auto known = ruleTable().find(op);
  return known == ruleTable().end() ? nullptr : known->second;
}

size_t loweringRuleCount() { return ruleTable().size(); }

std::vector<Index> PointBuilder::loops(size_t begin, size_t end) {
  std::vector<Index> result;
  for (size_t i = begin; i < end; ++i) result.push_back(Index::loop(LoopId(i)));
  return result;
}

ScalarId PointBuilder::load(BufferId buffer, const Index& address) {
  return body().load(buffer, ranges().simplified(address), program_.buffer(buffer).type,
                     condition_);
}

ScalarId PointBuilder::guarded(ScalarId condition, const std::function<ScalarId()>& value) {
  const ScalarId outer = condition_;
  condition_ =
      outer == ScalarId::kNone ? condition : body().binary(ScalarOp::kAnd, outer, condition);
  const ScalarId result = value();
  condition_ = outer;
  return result;
}

ScalarId PointBuilder::reduce(ReductionOp op, ScalarId input) {
  const auto id = static_cast<ReductionId>(program_.reductions.size());
  program_.reductions.push_back({op, input});
  reductions_.push_back(id);
  return body().reduced(id, body()[input].type);
}

LoweredRef NodeLowering::tensor(ValueId id) {
  return id == ValueId::kNone ? nullptr : graph_.tensor(id);
}
LoweredRef NodeLowering::tensor(std::string_view name) { return tensor(arguments.tensor(name)); }

std::vector<LoweredRef> NodeLowering::tensors(std::string_view name) {
  const std::vector<ValueId> ids = arguments.tensors(name);
  std::vector<LoweredRef> list;
  list.reserve(ids.size());
  for (const ValueId id : ids) list.push_back(tensor(id));
  return list;
}

std::vector<ValueId> NodeLowering::results() const {
  std::vector<ValueId> ids;
  for (const NodeResult& result : arguments.node().results) {
    forEachValue(result, [&](ValueId id) { ids.push_back(id); });
  }
  return ids;
}

const TensorType& NodeLowering::type(ValueId id) const { return graph_.graph().value(id).type; }

const TensorType& NodeLowering::resultType(size_t position) const {
  return type(results()[position]);
}

std::vector<Index> NodeLowering::resultSizes(size_t position) const {
  const std::vector<SizeExpression>& expressions = resultType(position).sizes;
  std::vector<Index> sizes;
  sizes.reserve(expressions.size());
  for (const SizeExpression& size : expressions) sizes.push_back(Index::of(size));
  return sizes;
}

ElementType NodeLowering::resultElement(size_t position) const {
  return *elementTypeOf(resultType(position).dataType);
}

const std::vector<int64_t>& NodeLowering::hints() const { return graph_.hints(); }

std::string NodeLowering::shortName() const {
  std::string_view name = arguments.node().op;
  if (const size_t colon = name.rfind(':'); colon != std::string_view::npos) {
    name.remove_prefix(colon + 1);
  }
  while (name.starts_with('_')) name.remove_prefix(1);
  return std::string(name);
}

std::vector<std::string> NodeLowering::nestOperators() const {
  std::vector<std::string> names{shortName()};
  for (const Argument& argument : arguments.node().arguments) {
    forEachValue(argument.value, [&](ValueId id) {
      const LoweredRef tensor = id == ValueId::kNone ? nullptr : graph_.tensor(id);
      if (tensor) mergeNames(names, tensor->operators);
    });
  }
  return names;
}

void NodeLowering::give(size_t position, LoweredRef tensor) {
  const ValueId id = results()[position];
  // An operator that had nothing to do gave its argument back.
  if (id != ValueId::kNone && !graph_.tensor(id)) graph_.give(id, std::move(tensor));
}

void NodeLowering::pointwise(size_t position, LoweredTensor::Load load,
                             std::span<const LoweredRef> operands, int64_t operations,
                             bool isExpensive) {
  auto result = std::make_shared<LoweredTensor>();
  result->sizes = resultSizes(position);
  result->type = resultElement(position);
  result->load = std::move(load);
  result->operations = operations;
  result->isExpensive = isExpensive;
  result->operators = {shortName()};
  for (const LoweredRef& operand : operands) {
    if (!operand) continue;
    result->loads += operand->loads;
    result->operations += operand->operations;
    result->isExpensive |= operand->isExpensive;
    mergeNames(result->operators, operand->operators);
  }
  give(position, std::move(result));
}

namespace {

LoweredRef rearrangedTensor(
    const LoweredRef& source, std::vector<Index> sizes,
    std::function<std::vector<Index>(PointBuilder&, std::span<const Index>)> coordinates) {
  auto result = std::make_shared<LoweredTensor>(*source);
  result->buffer = BufferId::kNone;
  result->sharesWith = ValueId::kNone;
  result->sizes = std::move(sizes);
  result->load = [source, coordinates = std::move(coordinates)](PointBuilder& point,
                                                                std::span<const Index> at) {
    return source->load(point, coordinates(point, at));
  };
  return result;
}

}  // namespace

void NodeLowering::view(
    size_t position, std::string_view source,
    std::function<std::vector<Index>(PointBuilder&, std::span<const Index>)> coordinates) {
  const ValueId id = arguments.tensor(source);
  auto result = rearrangedTensor(tensor(id), resultSizes(position), std::move(coordinates));
  result->sharesWith = id;
  give(position, std::move(result));
}

void NodeLowering::rearranged(
    size_t position, const LoweredRef& source,
    std::function<std::vector<Index>(PointBuilder&, std::span<const Index>)> coordinates) {
  auto result = rearrangedTensor(source, resultSizes(position), std::move(coordinates));
  mergeNames(result->operators, {shortName()});
  give(position, std::move(result));
}

void NodeLowering::same(size_t position, std::string_view source) {
  view(position, source, [](PointBuilder&, std::span<const Index> at) {
    return std::vector<Index>(at.begin(), at.end());
  });
}

void NodeLowering::nest(std::vector<Index> outer, std::vector<Index> inner,
                        const std::function<std::vector<NestResult>(PointBuilder&)>& values) {
  LoopNest nest;
  nest.sizes = std::move(outer);
  nest.outerCount = nest.sizes.size();
  nest.sizes.insert(nest.sizes.end(), inner.begin(), inner.end());
  PointBuilder point(graph_.program(), nest.sizes);
  const std::vector<NestResult> made = values(point);
  nest.reductions = point.takeReductions();
  nest.operators = nestOperators();
  std::vector<std::pair<size_t, LoweredRef>> given;
  for (const NestResult& result : made) {
    if (!hasResult(result.position)) continue;
    auto tensor = std::make_shared<LoweredTensor>();
    tensor->sizes = resultSizes(result.position);
    tensor->type = resultElement(result.position);
    const BufferId id = graph_.addBuffer(*tensor, results()[result.position]);
    Index address;
    for (size_t i = 0; i < result.coordinates.size(); ++i) {
      address += result.coordinates[i] * graph_.program().buffer(id).strides[i];
    }
    nest.stores.push_back({id, point.ranges().simplified(address), result.value, result.isInner});
    given.emplace_back(result.position, std::move(tensor));
  }
  graph_.addNest(std::move(nest));
  for (auto& [position, tensor] : given) give(position, std::move(tensor));
}

BufferId NodeLowering::partialNest(std::vector<Index> outer, std::vector<Index> inner,
                                   const std::function<ScalarId(PointBuilder&)>& value) {
  LoopNest nest;
  LoweredTensor tensor;
  tensor.sizes = outer;
  nest.outerCount = outer.size();
  nest.sizes = std::move(outer);
  nest.sizes.insert(nest.sizes.end(), inner.begin(), inner.end());
  PointBuilder point(graph_.program(), nest.sizes);
  const ScalarId scalar = value(point);
  nest.reductions = point.takeReductions();
  nest.operators = nestOperators();
  tensor.type = point.body()[scalar].type;
  const BufferId id = graph_.addBuffer(tensor, ValueId::kNone);
  const auto loops = PointBuilder::loops(0, nest.outerCount);
  nest.stores.push_back({id, linearized(loops, nest.outer()), scalar, false});
  graph_.addNest(std::move(nest));
  return id;
}

void NodeLowering::realize(std::string_view name) {
  const ValueId id = arguments.tensor(name);
  const LoweredRef source = tensor(id);
  // A view in memory of its own is not the graph's value, which shares memory.
  graph_.realize(source, source->sharesWith == ValueId::kNone ? id : ValueId::kNone);
}

}  // namespace jitscope::compiler
