#include "analyzer/import/cudagraph_message.h"

#include <algorithm>
#include <array>

#include "analyzer/import/python_stack.h"
#include "analyzer/import/text_parts.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kSkipped = "cudagraph_skip";

/// Words by which a kind of message is known; what follows them is what it tells.
struct Mark {
  std::string_view words, kind;
};

// A message can hold several; the first one here decides.
constexpr std::array kMarks{
    Mark{"skipping cudagraphs due to ", kSkipped},
    Mark{"skipping cudagraph due to ", kSkipped},
    Mark{"disabling cudagraphs due to ", kSkipped},
    Mark{"ecording cudagraph tree for ", "cudagraph_record"},
    Mark{"CUDAGraph supports dynamic shapes by recording", "cudagraph_sizes"},
    Mark{"accessing tensor output of CUDAGraphs that has been overwritten",
         "cudagraph_overwritten"},
    Mark{"cudagraph partition due to ", "cudagraph_partition"},
    Mark{"Unable to hit fast path of CUDAGraphs because of pending", "cudagraph_pending_backward"},
};

/// How a capture fails: in CUDA's words, and in those of LibTorch's own checks.
constexpr std::array<std::string_view, 5> kCaptureErrors{
    "operation not permitted when stream is capturing",
    "operation failed due to a previous error during capture",
    "CPU and CUDA tensors during CUDA graph capture",
    "cudaErrorStreamCapture",
    "outside graph capture encountered unexpectedly",
};

/// `skipping cudagraphs due to disabling cudagraphs due to incompatible op x Found from …` →
/// `incompatible op x`.
std::string_view plainReason(std::string_view reason) {
  for (bool isNested = true; isNested;) {
    isNested = false;
    for (const Mark& mark : kMarks) {
      if (mark.kind != kSkipped || !reason.starts_with(mark.words)) continue;
      reason.remove_prefix(mark.words.size());
      isNested = true;
    }
  }
  reason = trimmedText(reason.substr(0, reason.find(" Found from")));
  while (reason.ends_with('.')) reason.remove_suffix(1);
  return reason;
}

std::string toldBy(const Mark& mark, std::string_view rest) {
  if (mark.kind == kSkipped || mark.kind == "cudagraph_partition")
    return std::string(plainReason(rest));
  if (mark.kind == "cudagraph_record") return std::string(rest);
  const std::string_view sizes = textAfter(rest, "We have observed ");
  return std::string(sizes.substr(0, sizes.find(' ')));
}

}  // namespace

std::optional<CudagraphMessage> parseCudagraphMessage(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  for (const Mark& mark : kMarks) {
    const size_t at = line.find(mark.words);
    if (at == std::string_view::npos) continue;
    return CudagraphMessage{mark.kind, toldBy(mark, line.substr(at + mark.words.size()))};
  }
  const bool isCaptureError = std::any_of(
      kCaptureErrors.begin(), kCaptureErrors.end(),
      [&](std::string_view words) { return line.find(words) != std::string_view::npos; });
  if (!isCaptureError) return std::nullopt;
  return CudagraphMessage{"cudagraph_capture_failed", std::string(trimmedText(line))};
}

}  // namespace jitscope::analyzer
