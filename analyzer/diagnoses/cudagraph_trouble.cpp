#include "analyzer/diagnoses/cudagraph_trouble.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "analyzer/import/python_stack.h"

namespace jitscope::analyzer {
namespace {

struct TroubleName {
  CudagraphTrouble trouble;
  std::string_view name;
};

constexpr std::array kNames{
    TroubleName{CudagraphTrouble::kMutatedInput, "mutated_input"},
    TroubleName{CudagraphTrouble::kHostDevice, "cpu_device"},
    TroubleName{CudagraphTrouble::kSeveralDevices, "several_devices"},
    TroubleName{CudagraphTrouble::kIncompatibleOp, "incompatible_op"},
    TroubleName{CudagraphTrouble::kDynamicSizes, "dynamic_sizes"},
    TroubleName{CudagraphTrouble::kMovedInput, "moved_input"},
    TroubleName{CudagraphTrouble::kOtherSkip, "skipped"},
    TroubleName{CudagraphTrouble::kPartitioned, "partitioned"},
    TroubleName{CudagraphTrouble::kRerecorded, "rerecorded"},
    TroubleName{CudagraphTrouble::kOverwritten, "overwritten_output"},
    TroubleName{CudagraphTrouble::kPendingBackward, "pending_backward"},
    TroubleName{CudagraphTrouble::kCaptureFailed, "capture_failed"},
};

/// A reason by a part of its words; what follows `subjectAfter` up to `subjectEnd` is its subject.
struct ReasonWords {
  std::string_view part;
  CudagraphTrouble trouble;
  std::string_view subjectAfter, subjectEnd;
};

constexpr std::array kReasons{
    ReasonWords{"re-recording", CudagraphTrouble::kMovedInput, " due to ", {}},
    ReasonWords{"mutated inputs", CudagraphTrouble::kMutatedInput, {}, {}},
    ReasonWords{"mutation on input", CudagraphTrouble::kMutatedInput, {}, {}},
    ReasonWords{"cpu device", CudagraphTrouble::kHostDevice, "cpu device (", ")"},
    ReasonWords{"non-cuda device", CudagraphTrouble::kHostDevice, {}, {}},
    ReasonWords{"multiple devices", CudagraphTrouble::kSeveralDevices, "multiple devices: ", {}},
    ReasonWords{"multiple device ind", CudagraphTrouble::kSeveralDevices, {}, {}},
    ReasonWords{"incompatible op ", CudagraphTrouble::kIncompatibleOp, "incompatible op ", {}},
    ReasonWords{"incompatible ops", CudagraphTrouble::kIncompatibleOp, {}, {}},
    ReasonWords{"symbolic shapes", CudagraphTrouble::kDynamicSizes, {}, {}},
    ReasonWords{"dynamic shapes", CudagraphTrouble::kDynamicSizes, {}, {}},
};

std::string subjectOf(std::string_view reason, const ReasonWords& words) {
  if (words.subjectAfter.empty()) return {};
  const size_t at = reason.find(words.subjectAfter);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = reason.substr(at + words.subjectAfter.size());
  const size_t end = words.subjectEnd.empty() ? rest.size() : rest.find(words.subjectEnd);
  return std::string(rest.substr(0, end));
}

CudagraphSkip readReason(std::string_view reason) {
  CudagraphSkip skip;
  skip.reason = reason;
  const auto* const words = std::find_if(
      kReasons.begin(), kReasons.end(),
      [&](const ReasonWords& each) { return reason.find(each.part) != std::string_view::npos; });
  if (words == kReasons.end()) return skip;
  skip.trouble = words->trouble;
  skip.subject = subjectOf(reason, *words);
  return skip;
}

/// The texts in quotes of `['mutated inputs', 'incompatible ops']`.
std::vector<std::string_view> listItems(std::string_view list) {
  std::vector<std::string_view> items;
  for (size_t open = list.find('\''); open != std::string_view::npos;) {
    const size_t close = list.find('\'', open + 1);
    if (close == std::string_view::npos) break;
    items.push_back(list.substr(open + 1, close - open - 1));
    open = list.find('\'', close + 1);
  }
  return items;
}

bool isOfName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
}

/// The dotted name at the end of `text`, for `text` = what stands before an operator.
std::string_view lastName(std::string_view text) {
  text = trimmedText(text);
  // An element of a list is told with its list: `caches[i]`.
  size_t end = text.size();
  while (end > 0 && text[end - 1] == ']') {
    const size_t open = text.rfind('[', end - 1);
    if (open == std::string_view::npos) break;
    end = open;
  }
  size_t begin = end;
  while (begin > 0 && isOfName(text[begin - 1])) --begin;
  return begin == end ? std::string_view() : text.substr(begin);
}

/// Whether a function of it takes the tensor as its first argument.
bool isModule(std::string_view owner) {
  return owner == "torch" || owner == "F" || owner.starts_with("torch.") ||
         owner.ends_with("functional") || owner.ends_with("init");
}

}  // namespace

std::string_view name(CudagraphTrouble trouble) {
  const auto* const found =
      std::find_if(kNames.begin(), kNames.end(),
                   [&](const TroubleName& each) { return each.trouble == trouble; });
  return found == kNames.end() ? std::string_view() : found->name;
}

std::vector<CudagraphSkip> readCudagraphSkips(std::string_view told) {
  std::vector<CudagraphSkip> skips;
  if (told.starts_with('[')) {
    for (const std::string_view item : listItems(told)) skips.push_back(readReason(item));
  }
  if (skips.empty()) skips.push_back(readReason(told));
  return skips;
}

std::string mutatedTensor(std::string_view codeLine) {
  // Methods that write in place end in an underscore.
  for (size_t call = codeLine.find("_("); call != std::string_view::npos;
       call = codeLine.find("_(", call + 1)) {
    size_t begin = call;
    while (begin > 0 && codeLine[begin - 1] != '.' && isOfName(codeLine[begin - 1])) --begin;
    const bool isMember = begin > 0 && codeLine[begin - 1] == '.' && codeLine[begin] != '_';
    if (!isMember) continue;
    const std::string_view owner = lastName(codeLine.substr(0, begin - 1));
    if (!isModule(owner)) return std::string(owner);
    const std::string_view arguments = codeLine.substr(call + 2);
    return std::string(trimmedText(arguments.substr(0, arguments.find_first_of(",)"))));
  }
  for (const std::string_view sign : {" += ", " -= ", " *= ", " /= ", "] = "}) {
    const size_t at = codeLine.find(sign);
    if (at == std::string_view::npos) continue;
    return std::string(lastName(codeLine.substr(0, at + (sign.front() == ']' ? 1 : 0))));
  }
  return {};
}

}  // namespace jitscope::analyzer
