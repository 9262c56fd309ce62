#pragma once

#include <string_view>

namespace jitscope::analyzer {

/// A call of a compiled function with what it did on a device, as text for tests::writeTrace.
inline constexpr std::string_view kDeviceRows = R"(
process pid=10 rank=0 world_size=1
device  device=0 name="H" memory_bytes=1000 multiprocessors=132 compute_major=9
thread  thread=1 name="main, \"first\""
frame   frame=0 name="step" file="step.py" line=3
call    frame=0 attempt=0 at=1000us..1100us thread=1 outcome=hit guard_ns=5us
region  frame=0 attempt=0 segment=0 at=1010us..1090us thread=1 graph="abc"
op      at=1020us..1030us thread=1 name="aten::mm" shapes="[4, 16], [16, 16]" sequence=7
api     at=1022us..1023us thread=1 correlation=5 name="cudaLaunchKernel"
kernel  at=1040us..1051us device=0 stream=7 correlation=5 name="gemm" launch="grid 4x1x1 block 256x1x1 shared 0+0 registers 32"
memcpy  at=1060us..1062us device=0 stream=7 correlation=6 kind=1 bytes=4096
memset  at=1063us..1064us device=0 stream=7 correlation=7 bytes=64
sync    at=1065us..1070us device=0 stream=7 correlation=8 kind="stream"
graph_break frame=0 attempt=0 at=1071us..1072us thread=1 is_first=1 reason="a \"reason\"" stack="/a.py:3 step"
)";

}  // namespace jitscope::analyzer
