#include "compiler/journal/compile_scope.h"

namespace jitscope::compiler {
namespace {

thread_local CompilePlace currentPlace;

}  // namespace

CompileScope::CompileScope(const CompilePlace& place) : outer_(currentPlace) {
  currentPlace = place;
}

CompileScope::~CompileScope() { currentPlace = outer_; }

CompilePlace CompileScope::current() { return currentPlace; }

}  // namespace jitscope::compiler
