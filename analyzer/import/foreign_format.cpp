#include "analyzer/import/foreign_format.h"

#include <algorithm>
#include <array>

#include "analyzer/import/json_cursor.h"

namespace jitscope::analyzer {
namespace {

/// The first key of a JSON object; empty for anything else.
std::string_view firstKey(std::string_view head) {
  std::string_view json = jsonOf(head);
  if (!json.starts_with('{')) return {};
  json = behindBlanks(json.substr(1));
  if (!json.starts_with('"')) return {};
  json.remove_prefix(1);
  return json.substr(0, json.find('"'));
}

bool has(std::string_view head, std::string_view word) {
  return head.find(word) != std::string_view::npos;
}

bool isNsysReport(std::string_view head) {
  return head.starts_with("NVIDIA Tegra Profiler Report") || head.starts_with("QDSTRM");
}

/// A field of protobuf with a name like "/host:CPU" or "/device:GPU:0" right at its start.
bool isXplane(std::string_view head) {
  constexpr size_t kNameWithin = 16;
  return head.starts_with('\x0a') && (has(head.substr(0, kNameWithin + 8), "/host:") ||
                                      has(head.substr(0, kNameWithin + 8), "/device:"));
}

bool isRocprofiler(std::string_view head) { return firstKey(head).starts_with("rocprofiler-sdk"); }

bool isExecutionTrace(std::string_view head) {
  return firstKey(head) == "schema" && has(head, "\"nodes\"");
}

bool isMemoryTimeline(std::string_view head) {
  const std::string_view json = jsonOf(head);
  return json.starts_with('[') && behindBlanks(json.substr(1)).starts_with('[');
}

bool isOperatorMap(std::string_view head) { return has(firstKey(head), "::"); }

bool isCaptureList(std::string_view head) {
  return jsonOf(head).starts_with('[') && has(head, "\"file\"") && has(head, "\"mode\"");
}

bool isPickle(std::string_view head) {
  return head.size() > 2 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5;
}

bool isJson(std::string_view head) {
  const std::string_view json = jsonOf(head);
  return json.starts_with('{') || json.starts_with('[');
}

bool isText(std::string_view head) {
  return std::none_of(head.begin(), head.end(), [](char byte) { return byte == '\0'; });
}

struct ForeignFormat {
  bool (*isIt)(std::string_view head);
  std::string_view description;
};

// The last ones take what the ones before them describe better.
constexpr std::array kForeignFormats{
    ForeignFormat{isNsysReport,
                  "is an Nsight Systems report, which only Nsight Systems can read: export it with "
                  "`nsys export --type sqlite FILE` and open the result"},
    ForeignFormat{isXplane,
                  "is an XPlane profile of JAX or TensorFlow (protobuf), not a trace of PyTorch"},
    ForeignFormat{
        isRocprofiler,
        "is a profile of rocprofiler-sdk (rocprofiler-sdk-tool, rocprofv3 JSON), not a trace of "
        "torch.profiler: record with torch.profiler to have operators and kernels"},
    ForeignFormat{isExecutionTrace,
                  "is a PyTorch execution trace (a graph of operators without times): open the "
                  "torch.profiler trace that was recorded beside it"},
    ForeignFormat{isMemoryTimeline,
                  "is a memory timeline of torch.profiler (sizes over time), not a trace"},
    ForeignFormat{isOperatorMap,
                  "is a map of operators to kernels (as TraceLens writes it), not a trace"},
    ForeignFormat{isCaptureList, "is a list of graph captures (execution details), not a trace"},
    ForeignFormat{isPickle, "is a Python pickle (such as a memory snapshot), not a trace"},
    ForeignFormat{[](std::string_view head) { return head.starts_with("PK\x03\x04"); },
                  "is a zip archive: unpack it and open what is inside"},
    ForeignFormat{isJson, "not a trace: JSON without trace events"},
    ForeignFormat{isText, "not a trace: text without a line of a compile log"},
};

}  // namespace

std::string describeForeignFormat(std::string_view head) {
  if (head.empty()) return "not a trace: the file is empty";
  for (const ForeignFormat& format : kForeignFormats) {
    if (format.isIt(head)) return std::string(format.description);
  }
  return "not a trace: of no format that is known";
}

}  // namespace jitscope::analyzer
