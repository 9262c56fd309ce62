// What LibTorch's observers (profilers, the collector) see of a compiled function: each operator
// that runs, once, however the call is served.
#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <map>

#include "compiler/compiler.h"

namespace jitscope::compiler {
namespace {

thread_local std::map<std::string, int> seen;

/// Counts the operators of this thread by name while it lives.
class Observer {
 public:
  Observer()
      : handle_(at::addThreadLocalCallback(at::RecordFunctionCallback(
            [](const at::RecordFunction& function) -> std::unique_ptr<at::ObserverContext> {
              ++seen[function.name()];
              return nullptr;
            },
            [](const at::RecordFunction&, at::ObserverContext*) {}))) {
    seen.clear();
  }
  ~Observer() { at::removeCallback(handle_); }
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;

 private:
  at::CallbackHandle handle_;
};

at::Tensor withBreak(const at::Tensor& x) {
  const at::Tensor h = x.sin() + 1;
  if (h.sum().item<float>() > 1e9) return h;
  return h.cos();
}

at::Tensor withoutBreak(const at::Tensor& x) { return (x.sin() + 1).cos(); }

void expectSeenAsEagerly(at::Tensor (*function)(const at::Tensor&)) {
  const auto compiled = compile(function, {.backend = "eager"});
  const at::Tensor x = at::ones({4});
  std::map<std::string, int> eagerly;
  {
    const Observer observer;
    function(x);
    eagerly = seen;
  }
  for (int call = 0; call < 4; ++call) {
    const Observer observer;
    compiled(x);
    for (const char* op : {"aten::sin", "aten::add", "aten::cos", "aten::sum", "aten::item"}) {
      EXPECT_EQ(seen[op], eagerly[op]) << op << " in call " << call;
    }
  }
}

TEST(ObservedOperators, AreSeenAsEagerlyWithABreak) { expectSeenAsEagerly(withBreak); }
TEST(ObservedOperators, AreSeenAsEagerlyWithoutABreak) { expectSeenAsEagerly(withoutBreak); }

TEST(ObservedOperators, StayUnseenWhereTheUserSwitchedObserversOff) {
  const auto compiled = compile(withBreak);
  for (int call = 0; call < 3; ++call) {
    const Observer observer;
    const at::DisableRecordFunctionGuard off;
    compiled(at::ones({4}));
    EXPECT_TRUE(seen.empty());
  }
}

}  // namespace
}  // namespace jitscope::compiler
