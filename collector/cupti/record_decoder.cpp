#include "collector/cupti/record_decoder.h"

namespace jitscope::collector {
namespace {

using trace::CopyKind;
using trace::LossKind;

constexpr const char* kWithoutTime = "records for which the GPU gave no time";
constexpr const char* kUnfinished = "work that had not ended when the program did";
constexpr const char* kBackwards = "records that end before they start";
constexpr const char* kUnknownKinds = "records of a kind that is not known";

CopyKind copyKind(uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return CopyKind::kHostToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return CopyKind::kDeviceToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return CopyKind::kDeviceToDevice;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return CopyKind::kHostToHost;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return CopyKind::kPeer;
    default:
      return CopyKind::kUnknown;
  }
}

const char* waitText(CUpti_ActivitySynchronizationType type) {
  switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
      return "event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
      return "stream wait event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
      return "stream";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
      return "context";
    default:
      return "unknown";
  }
}

/// The part of CUPTI's overhead that is there because of the recording; null for what the program
/// would wait for all the same (loading code, full command buffers).
const char* ownOverhead(CUpti_ActivityOverheadKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
      return "CUPTI flushing its buffers";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
      return "CUPTI instrumenting kernels";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
      return "CUPTI taking resources";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
      return "CUPTI asking for buffers";
    case CUPTI_ACTIVITY_OVERHEAD_UVM_ACTIVITY_INIT:
      return "CUPTI starting to watch managed memory";
    default:
      return nullptr;
  }
}

/// What is wrong with the times of a record; null when they can be right.
const char* timeFault(uint64_t start, uint64_t end) {
  if (start == 0 && end == 0) return kWithoutTime;
  if (end == 0) return kUnfinished;
  return end < start ? kBackwards : nullptr;
}

}  // namespace

void RecordDecoder::decode(const FilledBuffer& buffer) {
  CUpti_Activity* record = nullptr;
  while (api_.activityGetNextRecord(buffer.bytes, buffer.sizeBytes, &record) == CUPTI_SUCCESS) {
    take(*record);
  }
}

void RecordDecoder::take(const CUpti_Activity& record) {
  // Each kind has one layout, the newest of the headers; older libraries are refused.
  const auto as = [&]<class Record>() { take(reinterpret_cast<const Record&>(record)); };
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return as.operator()<CUpti_ActivityKernel10>();
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return as.operator()<CUpti_ActivityMemcpy6>();
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return as.operator()<CUpti_ActivityMemcpyPtoP4>();
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return as.operator()<CUpti_ActivityMemset4>();
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return as.operator()<CUpti_ActivityAPI>();
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return as.operator()<CUpti_ActivitySynchronization2>();
    case CUPTI_ACTIVITY_KIND_GRAPH_TRACE:
      return as.operator()<CUpti_ActivityGraphTrace2>();
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return as.operator()<CUpti_ActivityOverhead3>();
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return devices_.add(reinterpret_cast<const CUpti_ActivityDevice5&>(record));
    default:
      losses_.add(LossKind::kUnknown, kUnknownKinds);
  }
}

/// Fills the columns that rows of work on a device share; false when the record is a loss.
template <class Row, class Record>
bool RecordDecoder::place(const Record& record, Row& row) {
  row.correlation = correlations_.extend(record.correlationId);
  if (const char* fault = timeFault(record.start, record.end)) {
    losses_.add(LossKind::kOutOfRange, fault);
    return false;
  }
  devices_.write(sink_);
  devices_.placeContext(record.contextId, record.deviceId);
  row.startNs = static_cast<int64_t>(record.start);
  row.endNs = static_cast<int64_t>(record.end);
  row.device = record.deviceId;
  row.context = record.contextId;
  row.stream = record.streamId;
  return true;
}

void RecordDecoder::take(const CUpti_ActivityKernel10& kernel) {
  trace::KernelRow row;
  if (!place(kernel, row)) return;
  row.name = texts_.name(kernel.name);
  row.launch = texts_.launch(kernel);
  row.graphNode = static_cast<int64_t>(kernel.graphNodeId);
  if (kernel.graphNodeId != 0) row.origin = trace::Origin::kReplay;
  launched_.write(row);
}

void RecordDecoder::take(const CUpti_ActivityMemcpy6& copy) {
  trace::MemcpyRow row;
  if (!place(copy, row)) return;
  row.kind = copyKind(copy.copyKind);
  row.bytes = static_cast<int64_t>(copy.bytes);
  row.isAsync = (copy.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
  launched_.write(row);
}

void RecordDecoder::take(const CUpti_ActivityMemcpyPtoP4& copy) {
  trace::MemcpyRow row;
  if (!place(copy, row)) return;
  row.kind = CopyKind::kPeer;
  row.bytes = static_cast<int64_t>(copy.bytes);
  row.isAsync = (copy.flags & CUPTI_ACTIVITY_FLAG_MEMCPY_ASYNC) != 0;
  row.peerDevice = copy.deviceId == copy.srcDeviceId ? copy.dstDeviceId : copy.srcDeviceId;
  launched_.write(row);
}

void RecordDecoder::take(const CUpti_ActivityMemset4& set) {
  trace::MemsetRow row;
  if (!place(set, row)) return;
  row.bytes = static_cast<int64_t>(set.bytes);
  row.value = set.value;
  launched_.write(row);
}

void RecordDecoder::take(const CUpti_ActivityAPI& call) {
  const trace::CorrelationId correlation = correlations_.extend(call.correlationId);
  if (const char* fault = timeFault(call.start, call.end)) {
    return losses_.add(LossKind::kOutOfRange, fault);
  }
  devices_.write(sink_);
  calls_.nameThread(call.threadId);
  const trace::RowTime time{static_cast<int64_t>(call.start), static_cast<int64_t>(call.end)};
  launched_.addCall(correlation, time);
  trace::emit(sink_, trace::ApiRow{.startNs = time.startNs,
                                   .endNs = time.endNs,
                                   .thread = call.threadId,
                                   .correlation = correlation,
                                   .name = calls_.name(call),
                                   .status = call.returnValue,
                                   .isDriver = call.kind == CUPTI_ACTIVITY_KIND_DRIVER});
}

void RecordDecoder::take(const CUpti_ActivitySynchronization2& wait) {
  const trace::CorrelationId correlation = correlations_.extend(wait.correlationId);
  if (const char* fault = timeFault(wait.start, wait.end)) {
    return losses_.add(LossKind::kOutOfRange, fault);
  }
  // The record of a wait for a whole context has no stream.
  const bool hasStream = wait.streamId != CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  trace::emit(sink_, trace::SyncRow{.startNs = static_cast<int64_t>(wait.start),
                                    .endNs = static_cast<int64_t>(wait.end),
                                    .device = devices_.ofContext(wait.contextId),
                                    .context = wait.contextId,
                                    .stream = hasStream ? int64_t{wait.streamId} : -1,
                                    .correlation = correlation,
                                    .kind = sink_.intern(waitText(wait.type))});
}

void RecordDecoder::take(const CUpti_ActivityGraphTrace2& launch) {
  trace::GraphLaunchRow row;
  if (!place(launch, row)) return;
  row.graph = launch.graphId;
  launched_.write(row);
}

void RecordDecoder::take(const CUpti_ActivityOverhead3& overhead) {
  const char* text = ownOverhead(overhead.overheadKind);
  if (!text || timeFault(overhead.start, overhead.end)) return;
  losses_.add(LossKind::kOverhead, text, static_cast<int64_t>(overhead.end - overhead.start));
}

}  // namespace jitscope::collector
