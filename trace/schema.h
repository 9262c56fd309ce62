#pragma once

#include <cstddef>
#include <cstdint>

/// \file
/// Everything that can be said about a compiled graph's life: one struct per table, one member per
/// column. Names of fields exist here only; the file format, the reader and the C boundary derive
/// theirs from `columns`. Times are nanoseconds since the Unix epoch, durations nanoseconds, sizes
/// bytes. Text is a StringId; stacks are one line per frame, innermost first, `file:line function`.
/// Growing: append columns and tables at the end, never reorder or reuse (FORMAT.md, version
/// policy).
namespace jitscope::trace {

/// Text in the dictionary of one sink or file. 0 is the empty text.
enum class StringId : uint32_t {};
/// A compiled callable: F of a compile id `F/C`.
enum class FrameId : int64_t { kNone = -1 };
/// One compilation of a frame: C of a compile id `F/C`. C >= 1 is a recompile.
enum class AttemptId : int64_t { kNone = -1 };
/// One piece of a frame between graph breaks, numbered within its frame.
enum class SegmentId : int64_t { kNone = -1 };
/// Joins an API call, its operator and what it started on a device.
enum class CorrelationId : int64_t { kNone = 0 };

/// How work came to run.
enum class Origin : int64_t {
  kUnknown = 0,
  kEager = 1,     ///< operator by operator, outside of any compiled region
  kCompiled = 2,  ///< by a compiled region
  kReplay = 3,    ///< by replay of a CUDA graph
};

/// How a call of a compiled callable was served.
enum class CallOutcome : int64_t {
  kHit = 0,          ///< an entry's guards held
  kCompiled = 1,     ///< no entry held, this call compiled a new one
  kLimit = 2,        ///< no entry held, the recompile limit was reached, ran eagerly
  kForcedEager = 3,  ///< stance, `disable` or a nested call, ran eagerly without looking at entries
  kFailed = 4,       ///< the compilation or the user's function threw
};

/// Whether the user's code ran in a call.
enum class UserCode : int64_t {
  kRan = 0,       ///< eagerly, or being captured
  kReplayed = 1,  ///< ran again under positional replay
  kSkipped = 2,   ///< the break-free graph ran instead
};

/// What the cache on disk answered when an entry was compiled.
enum class CacheState : int64_t { kNone = 0, kHit = 1, kMiss = 2, kBypass = 3 };

enum class CopyKind : int64_t {
  kUnknown = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kHostToHost = 4,
  kPeer = 5
};

enum class LossKind : int64_t {
  kDropped = 0,     ///< could not be kept (memory, disk, buffer)
  kOutOfRange = 1,  ///< a time or value that cannot be right; left out
  kUnknown = 2,     ///< a record of a kind that this version does not know
  kOverhead = 3,    ///< not lost: the recorder's own time, in `amount` nanoseconds
};

enum class TableId : uint32_t {
  kProcess = 1,
  kThread,
  kDevice,
  kFrame,
  kCompile,
  kGraphBreak,
  kGuard,
  kGuardFailure,
  kCall,
  kRegion,
  kOp,
  kKernel,
  kMemcpy,
  kMemset,
  kApi,
  kSync,
  kGraphLaunch,
  kCounter,
  kArtifact,
  kLoss,
  kSpecialization,
  kGraphNode,
  kRecordedWindow,
};

/// One row per trace file: the process that it came from.
struct ProcessRow {
  static constexpr TableId kTable = TableId::kProcess;
  static constexpr const char* kName = "process";
  int64_t pid = 0, parentPid = 0, startNs = 0;
  StringId commandLine{}, executable{}, hostName{};
  int64_t rank = -1, worldSize = -1;  ///< from RANK and WORLD_SIZE; -1 when not set
  StringId jitscopeVersion{}, torchVersion{}, cudaVersion{}, driverVersion{}, cuptiVersion{};
  int64_t clockRealtimeNs = 0, clockMonotonicNs = 0;  ///< read together, to map monotonic times
  int64_t clocksLocked = -1;                          ///< 1 locked, 0 not, -1 not known

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = ProcessRow;
    visit("pid", &R::pid), visit("parent_pid", &R::parentPid), visit("start_ns", &R::startNs);
    visit("command_line", &R::commandLine), visit("executable", &R::executable);
    visit("host_name", &R::hostName), visit("rank", &R::rank), visit("world_size", &R::worldSize);
    visit("jitscope_version", &R::jitscopeVersion), visit("torch_version", &R::torchVersion);
    visit("cuda_version", &R::cudaVersion), visit("driver_version", &R::driverVersion);
    visit("cupti_version", &R::cuptiVersion), visit("clock_realtime_ns", &R::clockRealtimeNs);
    visit("clock_monotonic_ns", &R::clockMonotonicNs), visit("clocks_locked", &R::clocksLocked);
  }
};

/// A thread that appears in other tables.
struct ThreadRow {
  static constexpr TableId kTable = TableId::kThread;
  static constexpr const char* kName = "thread";
  int64_t thread = 0;  ///< the kernel's thread id
  StringId name{};

  template <class Visit>
  static constexpr void columns(Visit visit) {
    visit("thread", &ThreadRow::thread), visit("name", &ThreadRow::name);
  }
};

/// A GPU that the process could use.
struct DeviceRow {
  static constexpr TableId kTable = TableId::kDevice;
  static constexpr const char* kName = "device";
  int64_t device = 0;
  StringId name{}, uuid{};
  int64_t memoryBytes = 0, multiprocessors = 0, computeMajor = 0, computeMinor = 0;
  double peakBytesPerSecond = 0;  ///< of device memory, by its data sheet; 0 when not known

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = DeviceRow;
    visit("device", &R::device), visit("name", &R::name), visit("uuid", &R::uuid);
    visit("memory_bytes", &R::memoryBytes), visit("multiprocessors", &R::multiprocessors);
    visit("compute_major", &R::computeMajor), visit("compute_minor", &R::computeMinor);
    visit("peak_bytes_per_second", &R::peakBytesPerSecond);
  }
};

/// A compiled callable.
struct FrameRow {
  static constexpr TableId kTable = TableId::kFrame;
  static constexpr const char* kName = "frame";
  FrameId frame = FrameId::kNone;
  int64_t timeNs = 0;
  StringId name{}, file{};
  int64_t line = 0;
  StringId backend{}, mode{};
  int64_t fullgraph = 0, dynamic = -1;  ///< dynamic: -1 unset, 0 false, 1 true

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = FrameRow;
    visit("frame", &R::frame), visit("time_ns", &R::timeNs), visit("name", &R::name);
    visit("file", &R::file), visit("line", &R::line), visit("backend", &R::backend);
    visit("mode", &R::mode), visit("fullgraph", &R::fullgraph), visit("dynamic", &R::dynamic);
  }
};

/// One compilation. Its phases may overlap with the user's own running code: a first call really
/// runs.
struct CompileRow {
  static constexpr TableId kTable = TableId::kCompile;
  static constexpr const char* kName = "compile";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;
  int64_t startNs = 0, endNs = 0, thread = 0;
  StringId trigger{};     ///< "first call", or the first guard failure in words
  int64_t captureNs = 0;  ///< recording operators and stacks, beyond running them
  int64_t guardsNs = 0, aotNs = 0, codegenNs = 0, backendNs = 0;
  CacheState cache = CacheState::kNone;
  StringId failure{};  ///< empty when it succeeded
  int64_t graphCount = 0, breakCount = 0, opCount = 0, kernelCount = 0, guardCount = 0;
  int64_t modelledBytesBefore = -1, modelledBytesAfter = -1;  ///< traffic before and after fusion
  int64_t isDynamic = 0;
  StringId stack{};  ///< where the call came from

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = CompileRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("start_ns", &R::startNs);
    visit("end_ns", &R::endNs), visit("thread", &R::thread), visit("trigger", &R::trigger);
    visit("capture_ns", &R::captureNs), visit("guards_ns", &R::guardsNs),
        visit("aot_ns", &R::aotNs);
    visit("codegen_ns", &R::codegenNs), visit("backend_ns", &R::backendNs),
        visit("cache", &R::cache);
    visit("failure", &R::failure), visit("graph_count", &R::graphCount);
    visit("break_count", &R::breakCount), visit("op_count", &R::opCount);
    visit("kernel_count", &R::kernelCount), visit("guard_count", &R::guardCount);
    visit("modelled_bytes_before", &R::modelledBytesBefore);
    visit("modelled_bytes_after", &R::modelledBytesAfter), visit("is_dynamic", &R::isDynamic);
    visit("stack", &R::stack);
  }
};

/// A graph break: once when it is captured (`isFirst`), and once for each later call that passes
/// it.
struct GraphBreakRow {
  static constexpr TableId kTable = TableId::kGraphBreak;
  static constexpr const char* kName = "graph_break";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;
  SegmentId after = SegmentId::kNone;  ///< the segment that it ends
  int64_t startNs = 0, endNs = 0;      ///< from the end of one segment to the start of the next
  int64_t thread = 0;
  int64_t isFirst = 0;
  StringId reason{}, op{}, explanation{}, hint{}, stack{};

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = GraphBreakRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("after", &R::after);
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("thread", &R::thread);
    visit("is_first", &R::isFirst), visit("reason", &R::reason), visit("op", &R::op);
    visit("explanation", &R::explanation), visit("hint", &R::hint), visit("stack", &R::stack);
  }
};

/// A guard of an entry.
struct GuardRow {
  static constexpr TableId kTable = TableId::kGuard;
  static constexpr const char* kName = "guard";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;
  int64_t index = 0;
  StringId kind{}, source{}, expression{}, stack{};  ///< e.g. TENSOR_MATCH, L['x'], check_tensor(…)

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = GuardRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("index", &R::index);
    visit("kind", &R::kind), visit("source", &R::source), visit("expression", &R::expression);
    visit("stack", &R::stack);
  }
};

/// A guard that did not hold: of an entry (a call missed it), or of a segment in replay.
struct GuardFailureRow {
  static constexpr TableId kTable = TableId::kGuardFailure;
  static constexpr const char* kName = "guard_failure";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;  ///< the entry whose guard failed
  int64_t timeNs = 0, thread = 0;
  AttemptId caused = AttemptId::kNone;  ///< the compilation that followed; kNone when none did
  StringId kind{}, source{}, expected{}, actual{};
  StringId text{};  ///< the reason in Dynamo's words
  StringId cause{};  ///< class of the cause: size, zero_one, scalar, dtype, device, rank, stride, …
  StringId stack{};  ///< where the call came from

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = GuardFailureRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("time_ns", &R::timeNs);
    visit("thread", &R::thread), visit("caused", &R::caused), visit("kind", &R::kind);
    visit("source", &R::source), visit("expected", &R::expected), visit("actual", &R::actual);
    visit("text", &R::text), visit("cause", &R::cause), visit("stack", &R::stack);
  }
};

/// One invocation of a compiled callable.
struct CallRow {
  static constexpr TableId kTable = TableId::kCall;
  static constexpr const char* kName = "call";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;  ///< the entry that served it
  int64_t startNs = 0, endNs = 0, thread = 0;
  CallOutcome outcome = CallOutcome::kHit;
  UserCode userCode = UserCode::kRan;
  int64_t guardNs = 0, entriesTried = 0, segmentsRun = 0, divergences = 0, depth = 0;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = CallRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("start_ns", &R::startNs);
    visit("end_ns", &R::endNs), visit("thread", &R::thread), visit("outcome", &R::outcome);
    visit("user_code", &R::userCode), visit("guard_ns", &R::guardNs);
    visit("entries_tried", &R::entriesTried), visit("segments_run", &R::segmentsRun);
    visit("divergences", &R::divergences), visit("depth", &R::depth);
  }
};

/// One execution of one compiled graph.
struct RegionRow {
  static constexpr TableId kTable = TableId::kRegion;
  static constexpr const char* kName = "region";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;
  SegmentId segment = SegmentId::kNone;
  int64_t startNs = 0, endNs = 0, thread = 0;
  Origin origin = Origin::kCompiled;
  CorrelationId correlation = CorrelationId::kNone;
  int64_t opCount = 0;
  StringId graph{};  ///< name of the graph's artifact

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = RegionRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("segment", &R::segment);
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("thread", &R::thread);
    visit("origin", &R::origin), visit("correlation", &R::correlation);
    visit("op_count", &R::opCount), visit("graph", &R::graph);
  }
};

/// A host operator while it ran.
struct OpRow {
  static constexpr TableId kTable = TableId::kOp;
  static constexpr const char* kName = "op";
  int64_t startNs = 0, endNs = 0, thread = 0, depth = 0;  ///< depth 0: not inside another operator
  StringId name{}, shapes{};  ///< shapes of tensor inputs: "[4, 16], [16]"
  int64_t sequence = -1, forwardThread = 0, isBackward = 0;
  CorrelationId correlation = CorrelationId::kNone;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = OpRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("thread", &R::thread);
    visit("depth", &R::depth), visit("name", &R::name), visit("shapes", &R::shapes);
    visit("sequence", &R::sequence), visit("forward_thread", &R::forwardThread);
    visit("is_backward", &R::isBackward), visit("correlation", &R::correlation);
  }
};

/// A GPU kernel.
struct KernelRow {
  static constexpr TableId kTable = TableId::kKernel;
  static constexpr const char* kName = "kernel";
  int64_t startNs = 0, endNs = 0, device = 0, context = 0, stream = 0;
  CorrelationId correlation = CorrelationId::kNone;
  StringId name{};
  Origin origin = Origin::kUnknown;
  StringId launch{};  ///< "grid 4x1x1 block 256x1x1 shared 0+0 registers 32"
  int64_t graphNode = 0;
  int64_t bytesRead = -1, bytesWritten = -1;  ///< exact, by the range profiler; -1 not measured
  int64_t modelledBytes = -1;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = KernelRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("device", &R::device);
    visit("context", &R::context), visit("stream", &R::stream);
    visit("correlation", &R::correlation), visit("name", &R::name), visit("origin", &R::origin);
    visit("launch", &R::launch), visit("graph_node", &R::graphNode);
    visit("bytes_read", &R::bytesRead), visit("bytes_written", &R::bytesWritten);
    visit("modelled_bytes", &R::modelledBytes);
  }
};

/// A copy on a device or between devices and host.
struct MemcpyRow {
  static constexpr TableId kTable = TableId::kMemcpy;
  static constexpr const char* kName = "memcpy";
  int64_t startNs = 0, endNs = 0, device = 0, context = 0, stream = 0;
  CorrelationId correlation = CorrelationId::kNone;
  CopyKind kind = CopyKind::kUnknown;
  int64_t bytes = 0, isAsync = 0, peerDevice = -1;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = MemcpyRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("device", &R::device);
    visit("context", &R::context), visit("stream", &R::stream);
    visit("correlation", &R::correlation), visit("kind", &R::kind), visit("bytes", &R::bytes);
    visit("is_async", &R::isAsync), visit("peer_device", &R::peerDevice);
  }
};

/// A memset on a device.
struct MemsetRow {
  static constexpr TableId kTable = TableId::kMemset;
  static constexpr const char* kName = "memset";
  int64_t startNs = 0, endNs = 0, device = 0, context = 0, stream = 0;
  CorrelationId correlation = CorrelationId::kNone;
  int64_t bytes = 0, value = 0;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = MemsetRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("device", &R::device);
    visit("context", &R::context), visit("stream", &R::stream);
    visit("correlation", &R::correlation), visit("bytes", &R::bytes), visit("value", &R::value);
  }
};

/// A call of the CUDA runtime or driver.
struct ApiRow {
  static constexpr TableId kTable = TableId::kApi;
  static constexpr const char* kName = "api";
  int64_t startNs = 0, endNs = 0, thread = 0;
  CorrelationId correlation = CorrelationId::kNone;
  StringId name{};
  int64_t status = 0, isDriver = 0;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = ApiRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("thread", &R::thread);
    visit("correlation", &R::correlation), visit("name", &R::name), visit("status", &R::status);
    visit("is_driver", &R::isDriver);
  }
};

/// The host or a stream waiting for a device.
struct SyncRow {
  static constexpr TableId kTable = TableId::kSync;
  static constexpr const char* kName = "sync";
  int64_t startNs = 0, endNs = 0, device = 0, context = 0, stream = 0;
  CorrelationId correlation = CorrelationId::kNone;
  StringId kind{};  ///< "stream", "event", "context", "stream wait event"

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = SyncRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("device", &R::device);
    visit("context", &R::context), visit("stream", &R::stream);
    visit("correlation", &R::correlation), visit("kind", &R::kind);
  }
};

/// One launch of a CUDA graph.
struct GraphLaunchRow {
  static constexpr TableId kTable = TableId::kGraphLaunch;
  static constexpr const char* kName = "graph_launch";
  int64_t startNs = 0, endNs = 0, device = 0, context = 0, stream = 0;
  CorrelationId correlation = CorrelationId::kNone;
  int64_t graph = 0, nodeCount = -1;
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;
  SegmentId segment = SegmentId::kNone;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = GraphLaunchRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("device", &R::device);
    visit("context", &R::context), visit("stream", &R::stream);
    visit("correlation", &R::correlation), visit("graph", &R::graph);
    visit("node_count", &R::nodeCount), visit("frame", &R::frame), visit("attempt", &R::attempt);
    visit("segment", &R::segment);
  }
};

/// One sample of a device counter over an interval.
struct CounterRow {
  static constexpr TableId kTable = TableId::kCounter;
  static constexpr const char* kName = "counter";
  int64_t startNs = 0, endNs = 0, device = 0;
  StringId metric{};  ///< e.g. "dram_read_bytes"
  double value = 0;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = CounterRow;
    visit("start_ns", &R::startNs), visit("end_ns", &R::endNs), visit("device", &R::device);
    visit("metric", &R::metric), visit("value", &R::value);
  }
};

/// A text that a compilation made.
struct ArtifactRow {
  static constexpr TableId kTable = TableId::kArtifact;
  static constexpr const char* kName = "artifact";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;
  SegmentId segment = SegmentId::kNone;
  int64_t timeNs = 0;
  StringId kind{}, name{}, content{};  ///< kind: graph_code, guards, output_code, …

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = ArtifactRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("segment", &R::segment);
    visit("time_ns", &R::timeNs), visit("kind", &R::kind), visit("name", &R::name);
    visit("content", &R::content);
  }
};

/// What is missing from this trace, or what recording it cost.
struct LossRow {
  static constexpr TableId kTable = TableId::kLoss;
  static constexpr const char* kName = "loss";
  int64_t timeNs = 0;
  LossKind kind = LossKind::kDropped;
  StringId place{}, text{};
  int64_t amount = 0;  ///< records lost, or nanoseconds for kOverhead

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = LossRow;
    visit("time_ns", &R::timeNs), visit("kind", &R::kind), visit("place", &R::place);
    visit("text", &R::text), visit("amount", &R::amount);
  }
};

/// A size that user code read and that became a constant of an entry.
struct SpecializationRow {
  static constexpr TableId kTable = TableId::kSpecialization;
  static constexpr const char* kName = "specialization";
  FrameId frame = FrameId::kNone;
  AttemptId attempt = AttemptId::kNone;
  int64_t timeNs = 0;
  StringId source{};  ///< e.g. L['x'].size()[0]
  int64_t value = 0;
  StringId reason{}, stack{};

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = SpecializationRow;
    visit("frame", &R::frame), visit("attempt", &R::attempt), visit("time_ns", &R::timeNs);
    visit("source", &R::source), visit("value", &R::value), visit("reason", &R::reason);
    visit("stack", &R::stack);
  }
};

/// A node of a CUDA graph, as kernels name it, and where the program made it: while it captured, on
/// the thread and at the time at which the operator ran that the node came of.
struct GraphNodeRow {
  static constexpr TableId kTable = TableId::kGraphNode;
  static constexpr const char* kName = "graph_node";
  int64_t node = 0;  ///< KernelRow::graphNode
  int64_t timeNs = 0, thread = 0;

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = GraphNodeRow;
    visit("node", &R::node), visit("time_ns", &R::timeNs), visit("thread", &R::thread);
  }
};

/// A stretch of time of which this file holds events, where a process was not recorded all the
/// time. Written when it begins and again when it ends: of rows with one number the last one
/// counts.
struct RecordedWindowRow {
  static constexpr TableId kTable = TableId::kRecordedWindow;
  static constexpr const char* kName = "recorded_window";
  int64_t window = 0;              ///< from 1; 0: not a window, but what was asked for, in `reason`
  int64_t startNs = 0, endNs = 0;  ///< endNs 0: it had not ended when the row was written
  StringId reason{}, endReason{};  ///< what began and what ended it: "delay", "step 10", "signal"
  int64_t triggerNs = 0;           ///< of a flight recorder: when the first trigger came
  int64_t triggers = 0;            ///< and how many came in this window; 0 without one

  template <class Visit>
  static constexpr void columns(Visit visit) {
    using R = RecordedWindowRow;
    visit("window", &R::window), visit("start_ns", &R::startNs), visit("end_ns", &R::endNs);
    visit("reason", &R::reason), visit("end_reason", &R::endReason);
    visit("trigger_ns", &R::triggerNs), visit("triggers", &R::triggers);
  }
};

/// Calls `visit` once for each table, in the order of TableId, with the row type as template
/// argument: `forEachTable([]<class Row>() { … })`.
template <class Visit>
void forEachTable(Visit visit) {
  visit.template operator()<ProcessRow>();
  visit.template operator()<ThreadRow>();
  visit.template operator()<DeviceRow>();
  visit.template operator()<FrameRow>();
  visit.template operator()<CompileRow>();
  visit.template operator()<GraphBreakRow>();
  visit.template operator()<GuardRow>();
  visit.template operator()<GuardFailureRow>();
  visit.template operator()<CallRow>();
  visit.template operator()<RegionRow>();
  visit.template operator()<OpRow>();
  visit.template operator()<KernelRow>();
  visit.template operator()<MemcpyRow>();
  visit.template operator()<MemsetRow>();
  visit.template operator()<ApiRow>();
  visit.template operator()<SyncRow>();
  visit.template operator()<GraphLaunchRow>();
  visit.template operator()<CounterRow>();
  visit.template operator()<ArtifactRow>();
  visit.template operator()<LossRow>();
  visit.template operator()<SpecializationRow>();
  visit.template operator()<GraphNodeRow>();
  visit.template operator()<RecordedWindowRow>();
}

/// How many columns the table of `Row` has.
template <class Row>
constexpr size_t columnCount() {
  size_t count = 0;
  Row::columns([&](const char*, auto) { ++count; });
  return count;
}

}  // namespace jitscope::trace
