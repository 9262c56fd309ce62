#include "analyzer/import/serving_message.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "analyzer/import/python_stack.h"
#include "analyzer/import/text_parts.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kDigits = "0123456789";

bool isNumber(std::string_view text) {
  constexpr size_t kLongest = 12;
  return !text.empty() && text.size() <= kLongest &&
         text.find_first_not_of(kDigits) == std::string_view::npos;
}

/// The number at the start of a text; empty when there is none.
std::string_view leadingNumber(std::string_view text) {
  text = trimmedText(text);
  return text.substr(0, std::min(text.find_first_not_of(kDigits), text.size()));
}

/// `| 127 | 128 | 1 | FULL | 200 |`
std::optional<ServingMessage> readTableRow(std::string_view line) {
  const size_t open = line.find('|');
  if (open == std::string_view::npos) return std::nullopt;
  std::vector<std::string_view> cells;
  std::string_view rest = trimmedText(line.substr(open + 1));
  constexpr size_t kColumns = 5;
  while (!rest.empty() && cells.size() <= kColumns) {
    const size_t end = rest.find('|');
    if (end == std::string_view::npos) return std::nullopt;
    cells.push_back(trimmedText(rest.substr(0, end)));
    rest.remove_prefix(end + 1);
  }
  if (cells.size() != kColumns) return std::nullopt;
  for (const size_t column : {0, 1, 2, 4}) {
    if (!isNumber(cells[column])) return std::nullopt;
  }
  // `CUDAGraphMode.FULL` in some versions.
  std::string_view mode = cells[3];
  mode = mode.substr(mode.rfind('.') + 1);
  constexpr std::array<std::string_view, 3> kModes{"FULL", "PIECEWISE", "NONE"};
  if (std::find(kModes.begin(), kModes.end(), mode) == kModes.end()) return std::nullopt;
  return ServingMessage{"graph_runs",
                        fmt::format("{} {} {} {}", cells[0], cells[1], cells[4], mode)};
}

/// `Decode batch, #running-req: 32, #token: 11179, …, cuda graph: True, …`
std::optional<ServingMessage> readDecodeBatch(std::string_view line) {
  const std::string_view rest = textAfter(line, "Decode batch");
  const std::string_view requests = leadingNumber(textAfter(rest, "#running-req:"));
  const std::string_view graph = trimmedText(textAfter(rest, "cuda graph:"));
  if (!isNumber(requests) || graph.empty()) return std::nullopt;
  return ServingMessage{"graph_batch",
                        fmt::format("{} {}", requests, graph.starts_with("True") ? 1 : 0)};
}

/// `Capture cuda graph bs [1, 2, 4]`, `- Capture sizes: [1, 2, 4]`
std::optional<ServingMessage> readSizes(std::string_view line) {
  for (const std::string_view words :
       {std::string_view("Capture cuda graph bs ["), std::string_view("- Capture sizes: [")}) {
    std::string_view list = textAfter(line, words);
    list = list.substr(0, list.find(']'));
    if (list.empty() || list.find_first_not_of("0123456789, ") != std::string_view::npos) continue;
    std::string numbers(list);
    std::erase(numbers, ',');
    return ServingMessage{"graph_sizes", std::move(numbers)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ServingMessage> parseServingMessage(std::string_view line) {
  line = line.substr(0, line.find('\n'));
  constexpr size_t kLongest = 4096;
  if (line.size() > kLongest) return std::nullopt;
  if (auto row = readTableRow(line)) return row;
  if (auto batch = readDecodeBatch(line)) return batch;
  return readSizes(line);
}

}  // namespace jitscope::analyzer
