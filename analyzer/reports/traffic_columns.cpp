#include "analyzer/reports/traffic_columns.h"

#include <nlohmann/json.hpp>

#include "analyzer/sum.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

using Json = nlohmann::ordered_json;

std::string meanText(double bytes, int64_t count) {
  return bytesText(amountOf(bytes / static_cast<double>(count)));
}

Json samplesJson(int64_t kernels, const SampledBytes& bytes) {
  if (kernels == 0) return nullptr;
  return {{"kernels", kernels},
          {"read_bytes", amountOf(bytes.read)},
          {"written_bytes", amountOf(bytes.written)},
          {"error_bytes", amountOf(bytes.error)}};
}

}  // namespace

TrafficColumns::TrafficColumns(const std::vector<KernelGroup>& groups) {
  for (const KernelGroup& group : groups) {
    hasRepeated_ |= group.sampledCount == 0 && group.repeated.count > 0;
    hasSampled_ |= group.sampledCount > 0 || group.repeated.count > 0;
    hasExact_ |= group.exact.count > 0;
    hasModelled_ |= group.modelled.count > 0;
  }
}

void TrafficColumns::addTo(Table& table) const {
  const auto note = [&](const std::string& text) {
    table.note += (table.note.empty() ? "" : "; ") + text;
  };
  if (hasSampled_) {
    for (const char* column : {"read", "written", "±"}) table.columns.push_back({column, true});
    note("read, written: device memory, sampled, of one kernel on average");
  }
  if (hasRepeated_)
    note("~: too short for samples of its own, so the sum over its repeats was divided");
  if (hasExact_) {
    for (const char* column : {"exact read", "exact written"})
      table.columns.push_back({column, true});
    note("exact: counted for each kernel when the program ran again");
  }
  if (hasModelled_) {
    table.columns.push_back({"modelled", true});
    note("modelled: read and written by the shapes of tensors");
  }
}

void TrafficColumns::addTo(std::vector<std::string>& row, const KernelGroup& group) const {
  const auto addSampled = [&](const SampledBytes& bytes, int64_t count, const char* prefix) {
    for (const double amount : {bytes.read, bytes.written, bytes.error})
      row.push_back(count == 0 ? kNothing : prefix + meanText(amount, count));
  };
  if (hasSampled_ && group.sampledCount == 0 && group.repeated.count > 0) {
    addSampled(group.repeated.bytes, group.repeated.count, "~");
  } else if (hasSampled_) {
    addSampled(group.traffic, group.sampledCount, "");
  }
  if (hasExact_) {
    const int64_t count = group.exact.count;
    const int64_t read = group.exactRead;
    const int64_t written = group.exact.bytes - read;
    for (const int64_t amount : {read, written})
      row.push_back(count == 0 ? kNothing : bytesText(amount / count));
  }
  if (hasModelled_)
    row.push_back(group.modelled.count == 0 ? kNothing : bytesText(group.modelled.meanBytes()));
}

Json trafficJson(const KernelGroup& group) {
  Json json{{"sampled", samplesJson(group.sampledCount, group.traffic)},
            {"sampled_repeats", samplesJson(group.repeated.count, group.repeated.bytes)},
            {"exact", nullptr},
            {"modelled", nullptr}};
  if (group.exact.count > 0) {
    const int64_t read = group.exactRead;
    json["exact"] = {{"kernels", group.exact.count},
                     {"read_bytes", read},
                     {"written_bytes", group.exact.bytes - read}};
  }
  if (group.modelled.count > 0)
    json["modelled"] = {{"kernels", group.modelled.count},
                        {"bytes", static_cast<int64_t>(group.modelled.bytes)}};
  return json;
}

}  // namespace jitscope::analyzer
