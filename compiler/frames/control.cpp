#include "compiler/control.h"

#include "compiler/frames/frame_registry.h"
#include "compiler/frontend/break_reason.h"
#include "compiler/frontend/program.h"

namespace jitscope {

void graphBreak(const std::string& message) {
  compiler::breakGraph(compiler::reasonOfExplicitBreak(message));
}

void declareUntraceable(const std::string& qualifiedName) {
  compiler::declareUntraceable(qualifiedName);
}

void reset() { compiler::resetAllFrames(); }

namespace compiler {

struct DisabledScope::State {
  explicit State(const BreakReason& reason) : scope(reason) {}
  PlainScope scope;
};

DisabledScope::DisabledScope(Reason reason, const std::string& name)
    : state_(std::make_unique<State>(reason == Reason::kPrint ? reasonOfPrint()
                                                              : reasonOfDisabledCallable(name))) {}

DisabledScope::~DisabledScope() = default;

}  // namespace compiler

}  // namespace jitscope
