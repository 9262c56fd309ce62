#include "analyzer/import/trace_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "analyzer/import/chrome_event.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::json;

/// An object's member as a number; `otherwise` for anything else.
int64_t numberOf(const Json& object, const char* key, int64_t otherwise) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return otherwise;
  return found->get<int64_t>();
}

std::string_view withoutQuotes(std::string_view value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    return value.substr(1, value.size() - 2);
  }
  return value;
}

/// 12090 as "12.9": how CUDA numbers its versions.
std::string cudaVersion(std::string_view value) {
  const std::optional<int64_t> number = toInteger(withoutQuotes(value));
  if (!number || *number <= 0) return std::string(withoutQuotes(value));
  return fmt::format("{}.{}", *number / 1000, *number % 1000 / 10);
}

}  // namespace

void TraceMetadata::take(std::string_view key, std::string_view value) {
  constexpr size_t kLongest = 4 << 20;
  if (value.size() > kLongest) return;
  if (key == "baseTimeNanoseconds") {
    baseNs_ = toInteger(withoutQuotes(value)).value_or(0);
  } else if (key == "deviceProperties") {
    takeDevices(value);
  } else if (key == "distributedInfo") {
    takeDistribution(value);
  } else if (key == "host_name") {
    hostName_ = withoutQuotes(value);
  } else if (key == "cuda_runtime_version") {
    versions_.cuda = cudaVersion(value);
  } else if (key == "cuda_driver_version") {
    versions_.driver = cudaVersion(value);
  } else if (key == "cupti_version") {
    versions_.cupti = withoutQuotes(value);
  } else if (key == "INFO" || key == "WARNING" || key == "ERROR") {
    takeMessages(value);
  }
}

void TraceMetadata::takeDevices(std::string_view value) {
  const Json list = Json::parse(value, nullptr, false);
  if (!list.is_array()) return;
  constexpr size_t kMostDevices = 1024;
  for (const Json& each : list) {
    if (!each.is_object() || devices_.size() == kMostDevices) continue;
    Device& device = devices_.emplace_back();
    device.row.device = numberOf(each, "id", 0);
    device.row.memoryBytes = numberOf(each, "totalGlobalMem", 0);
    device.row.multiprocessors = numberOf(each, "numSms", 0);
    device.row.computeMajor = numberOf(each, "computeMajor", 0);
    device.row.computeMinor = numberOf(each, "computeMinor", 0);
    const auto name = each.find("name");
    if (name != each.end() && name->is_string()) device.name = name->get<std::string>();
  }
}

void TraceMetadata::takeDistribution(std::string_view value) {
  const Json object = Json::parse(value, nullptr, false);
  if (!object.is_object()) return;
  if (object.contains("rank")) rank_ = numberOf(object, "rank", -1);
  if (object.contains("world_size")) worldSize_ = numberOf(object, "world_size", -1);
}

void TraceMetadata::takeMessages(std::string_view value) {
  const Json list = Json::parse(value, nullptr, false);
  if (!list.is_array()) return;
  constexpr size_t kMostMessages = 1024;
  for (const Json& each : list) {
    if (!each.is_string() || messages_.size() == kMostMessages) continue;
    if (auto message = parseProgramMessage(each.get_ref<const std::string&>()))
      messages_.push_back(std::move(*message));
  }
}

void TraceMetadata::write(int64_t processId, std::string_view program, trace::MemoryTrace& trace,
                          Import& import) const {
  emit(trace, trace::ProcessRow{.pid = processId,
                                .executable = trace.intern(program),
                                .hostName = trace.intern(hostName_),
                                .rank = rank_.value_or(-1),
                                .worldSize = worldSize_.value_or(-1),
                                .cudaVersion = trace.intern(versions_.cuda),
                                .driverVersion = trace.intern(versions_.driver),
                                .cuptiVersion = trace.intern(versions_.cupti)});
  for (const Device& device : devices_) {
    trace::DeviceRow row = device.row;
    row.name = trace.intern(device.name);
    emit(trace, row);
  }
  for (const ProgramMessage& message : messages_) {
    emit(trace, trace::ArtifactRow{.timeNs = baseNs_,
                                   .kind = trace.intern("program_message"),
                                   .name = trace.intern(message.topic),
                                   .content = trace.intern(message.told)});
  }
  if (rank_) import.count("rank", *rank_);
  if (worldSize_) import.count("world", *worldSize_);
}

}  // namespace jitscope::analyzer
