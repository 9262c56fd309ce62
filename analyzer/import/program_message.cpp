#include "analyzer/import/program_message.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/import/python_stack.h"

namespace jitscope::analyzer {
namespace {

/// The words by which a line is known; all of them must be there.
struct Topic {
  std::string_view words, also, topic;
};

// The first that fits is taken.
constexpr std::array kTopics{
    // Kineto and CUPTI.
    Topic{"CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED", {}, "cupti_conflict"},
    Topic{"failed with error CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", {}, "counter_privileges"},
    Topic{"ERR_NVGPUCTRPERM", "ermission", "counter_privileges"},
    Topic{"CUDA profiler activities will be missing", {}, "cupti_failed"},
    Topic{"Failed to recover relationship between", " reassociated", "not_reassociated"},
    Topic{"Exceeded max GPU buffer count", {}, "buffers_full"},
    Topic{"activity collection was stopped early", {}, "buffers_full"},
    Topic{"with Kineto support (USE_KINETO=1)", {}, "built_without_kineto"},
    // AOTInductor's checks of its inputs and what it throws to its caller.
    Topic{"]: unmatched dim value at ", {}, "aoti_input_shape"},
    Topic{"]: dim value is too ", {}, "aoti_input_shape"},
    Topic{"]: unmatched dtype", {}, "aoti_input_dtype"},
    Topic{"]: unmatched stride value at ", {}, "aoti_input_stride"},
    Topic{"]: unmatched device type", {}, "aoti_input_device"},
    Topic{"expected inputs vector size to be ", {}, "aoti_input_count"},
    Topic{"API call failed at ", "aoti_runner", "aoti_failed"},
    Topic{"API call failed at ", "aoti_torch", "aoti_failed"},
    // What an operator of such a model says, in the form in which the model passes it on.
    Topic{"Error: mat1 and mat2 shapes cannot be multiplied", {}, "aoti_operator_size"},
    Topic{"Error: The size of tensor a ", {}, "aoti_operator_size"},
    Topic{"Error: shape '", "is invalid for input of size", "aoti_operator_size"},
    // LibTorch programs.
    Topic{"Cannot initialize CUDA without ATen_cuda library", {}, "cuda_not_linked"},
    Topic{"PyTorch is not linked with support for cuda devices", {}, "cuda_not_linked"},
};

bool isSymbol(std::string_view name) {
  constexpr std::array<std::string_view, 5> kPrefixes{"s", "u", "ks", "zuf", "zf"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
    const std::string_view number = name.substr(prefix.size());
    return std::all_of(number.begin(), number.end(),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  });
}

/// The symbol of a size that generated C++ uses and does not declare; empty for other errors. The
/// compiler's quotes are of one byte or of three.
std::string_view undeclaredSymbol(std::string_view line) {
  for (const std::string_view words :
       {std::string_view(" was not declared in this scope"), std::string_view("undeclared")}) {
    const size_t at = line.find(words);
    if (at == std::string_view::npos || line.find("error:") == std::string_view::npos) continue;
    const bool isBehind = words == "undeclared";
    const std::string_view part = isBehind ? line.substr(at) : line.substr(0, at);
    constexpr std::string_view kQuotes = "'\"\xe2\x80\x98\x99";
    const size_t end = part.find_last_not_of(kQuotes);
    if (end == std::string_view::npos) continue;
    const size_t open = part.find_last_of(kQuotes, end);
    if (open == std::string_view::npos) continue;
    const std::string_view name = part.substr(open + 1, end - open);
    if (isSymbol(name)) return name;
  }
  return {};
}

/// Whether Kineto's counts of records tell that it left some out: `Out-of-range = 12, …`.
bool tellsOutOfRange(std::string_view line) {
  constexpr std::string_view kWords = "Out-of-range = ";
  const size_t at = line.find(kWords);
  if (at == std::string_view::npos) return false;
  const std::string_view number = line.substr(at + kWords.size());
  return number.starts_with('-') || number.find_first_not_of('0') == 0;
}

}  // namespace

std::optional<ProgramMessage> parseProgramMessage(std::string_view line) {
  line = line.substr(0, line.find('\n'));
  // Long lines are dumps, in which anything can stand.
  constexpr size_t kLongest = 4096;
  if (line.size() > kLongest) return std::nullopt;
  const auto* const topic = std::find_if(kTopics.begin(), kTopics.end(), [&](const Topic& each) {
    return line.find(each.words) != std::string_view::npos &&
           (each.also.empty() || line.find(each.also) != std::string_view::npos);
  });
  if (topic != kTopics.end()) return ProgramMessage{topic->topic, std::string(trimmedText(line))};
  if (tellsOutOfRange(line)) return ProgramMessage{"out_of_range", std::string(trimmedText(line))};
  if (undeclaredSymbol(line).empty()) return std::nullopt;
  return ProgramMessage{"aoti_undeclared_size", std::string(undeclaredSymbol(line))};
}

}  // namespace jitscope::analyzer
