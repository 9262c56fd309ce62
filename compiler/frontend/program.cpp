#include "compiler/frontend/program.h"

#include <utility>

#include "compiler/frontend/autograd_hook.h"
#include "compiler/frontend/program_state.h"
#include "compiler/frontend/session.h"
#include "compiler/journal/journal.h"
#include "trace/clock.h"

namespace jitscope::compiler {

struct Program::State : ProgramState {};

Program::Program(ProgramContext context, std::vector<ProgramInput> inputs,
                 std::vector<ProgramSymbol> symbols)
    : state_(std::make_unique<State>()) {
  installAutogradHook();
  state_->context = std::move(context);
  for (const auto& input : inputs) state_->isArgument.push_back(input.isArgument);
  state_->inputs = std::move(inputs);
  state_->symbols = std::move(symbols);
  auto learned = std::make_shared<ProgramState::Learned>();
  if (!state_->symbols.empty()) learned->generality = Generality::kHypothesis;
  state_->learned = std::move(learned);
}

Program::~Program() = default;

RunReport Program::run(std::span<const at::Tensor> inputs, std::span<const int64_t> symbols,
                       const UserCode& userCode, std::vector<at::Tensor>& results) {
  RunReport report;
  if (Session::current()) {
    userCode(inputs, results);
    return report;
  }
  Session session(*state_, symbols, report);
  session.run(inputs, userCode, results);
  return report;
}

bool Program::isSelfContained() const {
  return state_->straight.load(std::memory_order_relaxed) != nullptr;
}

std::vector<at::Tensor> Program::runGraph(std::span<const at::Tensor> inputs,
                                          std::span<const int64_t> symbols, RunReport& report) {
  const StraightRun& straight = state_->straightRun();
  auto& journal = Journal::instance();
  const bool isRecording = journal.isRecording() && straight.compiled;
  const int64_t startNs = isRecording ? trace::nowNs() : 0;
  std::vector<at::Tensor> outputs;
  if (straight.compiled && straight.takesAllInputs) {
    outputs = straight.compiled->call(inputs, symbols);
  } else if (straight.compiled) {
    std::vector<at::Tensor> taken;
    taken.reserve(straight.inputs.size());
    for (const size_t position : straight.inputs) taken.push_back(inputs[position]);
    outputs = straight.compiled->call(taken, symbols);
  }
  report.segmentsRun = straight.compiled ? 1 : 0;
  if (isRecording) {
    const int64_t endNs = trace::nowNs();
    const auto& id = state_->context.id;
    const auto& graph = straight.compiled->graph.graph;
    journal.emit(trace::RegionRow{.frame = id.frame,
                                  .attempt = id.attempt,
                                  .segment = static_cast<trace::SegmentId>(0),
                                  .startNs = startNs,
                                  .endNs = endNs,
                                  .thread = threadId(),
                                  .opCount = static_cast<int64_t>(graph.opCount()),
                                  .graph = journal.intern(graph.name)});
    report.backendNs = endNs - startNs;
  }
  if (straight.givesOutputsAsTheyAre) return outputs;
  std::vector<at::Tensor> results;
  results.reserve(straight.results.size());
  for (const auto& source : straight.results) {
    results.push_back(source.isInput ? inputs[source.position] : outputs[source.position]);
  }
  return results;
}

int64_t Program::addInput(const ProgramInput& input, const at::Tensor& tensor) {
  auto* session = Session::current();
  return session ? session->addInput(input, tensor) : -1;
}

Generality Program::generality() const { return state_->snapshot()->generality; }

std::vector<Specialization> Program::specializations() const {
  return state_->snapshot()->specializations;
}

void Program::learnFrom(const Program& sample, std::vector<int64_t> values) {
  auto learned = sample.state_->snapshot();
  const std::scoped_lock lock(state_->mutex);
  state_->sample = {std::move(learned), std::move(values)};
}

std::vector<Program::SegmentView> Program::segments() const {
  const auto learned = state_->snapshot();
  std::vector<SegmentView> views;
  for (size_t i = 0; i < learned->tree.size(); ++i) {
    const TreeNode& node = learned->tree.node(static_cast<int>(i));
    SegmentView view;
    view.id = static_cast<trace::SegmentId>(i);
    if (node.compiled) {
      SegmentGraph graph = node.compiled->graph;
      fillSources(graph, *node.segment);
      view.graph = std::move(graph.graph);
    }
    view.endsInBreak = node.segment->end.isBreak();
    view.reason = node.segment->end.reason;
    view.breakStack = node.segment->end.stack;
    view.plainReason = node.segment->analysis.plainReason;
    views.push_back(std::move(view));
  }
  return views;
}

CaptureState captureState() {
  const auto* session = Session::current();
  return session ? session->captureState() : CaptureState::kNone;
}

void breakGraph(const BreakReason& reason) {
  if (auto* session = Session::current()) session->breakHere(SegmentEnd::Kind::kExplicit, reason);
}

PlainScope::PlainScope(const BreakReason& reason) {
  auto* session = Session::current();
  if (!session) return;
  session->enterPlain(reason);
  session_ = session;
}

PlainScope::~PlainScope() {
  if (session_) static_cast<Session*>(session_)->leavePlain();
}

}  // namespace jitscope::compiler
