#include "tests/analyzer/run_of_text.h"

#include <fmt/format.h>

#include <stdexcept>

#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {

const std::string_view kServiceRows = R"rows(
process pid=4711 start_ns=1s command_line="./decode_service" host_name="desk"
thread  thread=1 name="main"
frame   frame=0 time_ns=1s name="step" file="/src/service/decode.cpp" line=20 backend="eager"

# Eager first: two calls of three and two operators.
call    frame=0 at=1000us..1100us thread=1 outcome=eager
op      at=1010us..1030us thread=1 name="aten::matmul" shapes="[4, 16], [16, 16]"
op      at=1011us..1029us thread=1 depth=1 name="aten::mm"
op      at=1040us..1050us thread=1 name="aten::relu"
call    frame=0 at=1200us..1320us thread=1 outcome=eager
op      at=1210us..1230us thread=1 name="aten::matmul"
op      at=1240us..1250us thread=1 name="aten::relu"

# The first call compiles two graphs around a break.
call    frame=0 attempt=0 at=2000us..6000us thread=1 outcome=compiled
compile frame=0 attempt=0 at=2000us..5900us thread=1 trigger="first call" capture_ns=900us guards_ns=100us backend_ns=2000us graph_count=2 break_count=1 op_count=5 guard_count=9
guard   frame=0 attempt=0 index=0 kind="TENSOR_MATCH" source="L['x']" expression="check_tensor(L['x'])"
graph_break frame=0 attempt=0 after=0 at=3000us..3100us thread=1 is_first=1 reason="Unsupported Tensor.item() call with capture_scalar_outputs=False" op="aten::_local_scalar_dense" explanation="a tensor's value is read" hint="use torch::where" stack="/usr/include/ATen/core/TensorBody.h:900 at::Tensor::item() const\n/src/service/decode.cpp:24 step(at::Tensor, at::Tensor)\n/src/service/main.cpp:60 main"
#Two hits; each passes the break.
call    frame=0 attempt=0 at=7000us..7050us thread=1 outcome=hit user_code=replayed guard_ns=1us segments_run=2
region  frame=0 attempt=0 segment=0 at=7005us..7015us thread=1 origin=compiled op_count=3 graph="graph_0_0_0"
op      at=7006us..7012us thread=1 name="aten::matmul"
graph_break frame=0 attempt=0 after=0 at=7015us..7035us thread=1
op      at=7016us..7017us thread=1 name="aten::item"
region  frame=0 attempt=0 segment=1 at=7035us..7045us thread=1 origin=compiled op_count=2 graph="graph_0_0_1"
op      at=7036us..7040us thread=1 name="aten::relu"
call    frame=0 attempt=0 at=8000us..8060us thread=1 outcome=hit user_code=replayed guard_ns=1us segments_run=2
region  frame=0 attempt=0 segment=0 at=8005us..8015us thread=1 origin=compiled op_count=3 graph="graph_0_0_0"
graph_break frame=0 attempt=0 after=0 at=8015us..8045us thread=1
region  frame=0 attempt=0 segment=1 at=8045us..8055us thread=1 origin=compiled op_count=2 graph="graph_0_0_1"

#A new size : the second compilation makes it dynamic.Then a size of 1, then a number that changes.
guard_failure frame=0 attempt=0 time_ns=9000us thread=1 caused=1 kind="TENSOR_MATCH" source="L['x']" expected="4" actual="8" text="tensor 'L['x']' size mismatch at index 0. expected 4, actual 8" cause="size" stack="/src/service/main.cpp:62 main"
compile frame=0 attempt=1 at=9000us..12000us thread=1 trigger="tensor 'L['x']' size mismatch at index 0. expected 4, actual 8" capture_ns=500us backend_ns=1500us is_dynamic=1 stack="/src/service/main.cpp:62 main"
call    frame=0 attempt=1 at=9000us..12100us thread=1 outcome=compiled
guard_failure frame=0 attempt=1 time_ns=13000us thread=1 caused=2 kind="SHAPE_ENV" source="L['x'].size()[0]" expected="at least 2" actual="1" text="2 <= L['x'].size()[0]  # was 1" cause="zero_one" stack="/src/service/main.cpp:62 main"
guard_failure frame=0 attempt=0 time_ns=13000us thread=1 caused=2 kind="TENSOR_MATCH" source="L['x']" expected="4" actual="1" text="tensor 'L['x']' size mismatch at index 0. expected 4, actual 1" cause="size" stack="/src/service/main.cpp:62 main"
compile frame=0 attempt=2 at=13000us..14000us thread=1 trigger="2 <= L['x'].size()[0]  # was 1" capture_ns=300us backend_ns=500us stack="/src/service/main.cpp:62 main"
call    frame=0 attempt=2 at=13000us..14100us thread=1 outcome=compiled
guard_failure frame=0 attempt=2 time_ns=15000us thread=1 caused=3 kind="EQUALS_MATCH" source="L['n']" expected="3" actual="5" text="L['n'] == 3" cause="scalar" stack="/src/service/main.cpp:70 main"
compile frame=0 attempt=3 at=15000us..15500us thread=1 trigger="L['n'] == 3" stack="/src/service/main.cpp:70 main"
call    frame=0 attempt=3 at=15000us..15600us thread=1 outcome=compiled

#The limit, a divergence, a specialised size, and what recording cost.
guard_failure frame=0 attempt=3 time_ns=16000us thread=1 kind="EQUALS_MATCH" source="L['n']" expected="5" actual="7" text="L['n'] == 5" cause="scalar" stack="/src/service/main.cpp:70 main"
call    frame=0 at=16000us..16160us thread=1 outcome=limit
guard_failure frame=0 attempt=0 time_ns=17020us thread=1 kind="REPLAY" expected="aten::relu" actual="aten::mul" text="operator stream diverged at #3: expected aten::relu, got aten::mul" cause="divergence" stack="/src/service/decode.cpp:27 step(at::Tensor, at::Tensor)"
call    frame=0 attempt=0 at=17000us..17100us thread=1 outcome=hit user_code=replayed divergences=1 segments_run=1
specialization frame=0 attempt=1 time_ns=9500us source="L['x'].size()[1]" value=16 reason="user code read it" stack="/src/service/decode.cpp:22 step(at::Tensor, at::Tensor)"
loss    time_ns=18000us kind=overhead place="writer" text="time of the writer's own thread" amount=120us
)rows";

Run runOf(const std::vector<std::string_view>& processes) {
  const tests::TemporaryFolder folder;
  for (size_t i = 0; i < processes.size(); ++i) {
    tests::writeTrace(folder / fmt::format("process{}.jitscope", i), processes[i]);
  }
  trace::Result<Run> run = loadRun(folder.path());
  if (!run) throw std::runtime_error(run.error().text);
  run->path = "run";
  for (Process& process : run->processes) process.path = process.path.filename();
  for (Input& input : run->inputs) input.path = input.path.filename();
  // What writing these rows cost is another number each time.
  std::erase_if(run->losses, [](const Loss& loss) { return loss.place == "trace writer"; });
  return std::move(*run);
}

Run runOf(std::string_view process) { return runOf(std::vector{process}); }

std::vector<Finding> findingsOf(const std::vector<std::string_view>& processes, FindingKind kind) {
  std::vector<Finding> result;
  for (Finding& finding : analyze(runOf(processes)).findings) {
    if (finding.kind == kind) result.push_back(std::move(finding));
  }
  return result;
}

std::vector<Finding> findingsOf(std::string_view process, FindingKind kind) {
  return findingsOf(std::vector{process}, kind);
}

int64_t evidence(const Finding& finding, std::string_view what) {
  for (const Evidence& each : finding.evidence) {
    if (each.what == what) return each.count;
  }
  return -1;
}

}  // namespace jitscope::analyzer
