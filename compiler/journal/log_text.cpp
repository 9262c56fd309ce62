#include "compiler/journal/log_text.h"

#include <fmt/format.h>

#include <fstream>

namespace jitscope::compiler {
namespace {

/// Continuation lines are indented under their first.
std::string indented(std::string_view text) {
  std::string result;
  for (char c : text) {
    result += c;
    if (c == '\n') result += "    ";
  }
  return result;
}

/// The line as the source file has it, without blanks around; empty when there is no such file.
std::string sourceText(const SourceLine& place) {
  std::ifstream file(place.file);
  std::string text;
  for (int64_t line = 0; line < place.line; ++line) {
    if (!std::getline(file, text)) return "";
  }
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first);
}

/// As Python prints a traceback: the outermost call first.
std::string tracebackText(const std::vector<SourceLine>& lines) {
  std::string text;
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    text += fmt::format("  File \"{}\", line {}, in {}\n", line->file, line->line, line->function);
    if (const std::string source = sourceText(*line); !source.empty())
      text += "    " + source + "\n";
  }
  return text;
}

std::string hintLines(std::string_view hints) {
  std::string text;
  while (!hints.empty()) {
    const size_t end = std::min(hints.find('\n'), hints.size());
    text += fmt::format("  Hint: {}\n", hints.substr(0, end));
    hints.remove_prefix(std::min(end + 1, hints.size()));
  }
  return text;
}

std::string functionText(const FrameName& frame) {
  return fmt::format("{}:{}", frame.defined.file, frame.defined.line);
}

}  // namespace

std::string placeText(const std::vector<SourceLine>& lines) {
  return lines.empty() ? "unknown" : fmt::format("{}:{}", lines[0].file, lines[0].line);
}

std::string graphBreakText(const BreakReason& reason, const std::vector<SourceLine>& lines,
                           bool isFirst) {
  constexpr const char* kSuppressed = " (user stack suppressed due to duplicate graph break)";
  std::string text = fmt::format("Graph break{} in user code at {}\n", isFirst ? "" : kSuppressed,
                                 placeText(lines));
  text += fmt::format("Graph Break Reason: {}\n", reason.type);
  text += fmt::format("  Explanation: {}\n", indented(reason.explanation));
  text += hintLines(reason.hint);
  text += fmt::format("\n  Developer debug context: {}\n", indented(reason.context));
  if (isFirst) text += "\nUser code traceback:\n" + tracebackText(lines);
  return text;
}

std::string recompileText(const FrameName& frame, const std::vector<GuardFailure>& failures) {
  std::string text = fmt::format(
      "Recompiling function {} in {}\n    triggered by the following guard failure(s):", frame.name,
      functionText(frame));
  for (const GuardFailure& failure : failures) {
    text += fmt::format("\n    - {}: {}", failure.entry.text(), failure.text);
  }
  return text;
}

std::string guardsText(const std::vector<GuardText>& guards) {
  std::string text = "GUARDS:\n\nTREE_GUARD_MANAGER:\n+- RootGuardManager";
  std::string_view source;
  for (const GuardText& guard : guards) {
    const bool isOfRoot = guard.source.empty();
    if (!isOfRoot && guard.source != source) {
      text += fmt::format("\n| +- GuardManager: source={}", guard.source);
    }
    source = guard.source;
    text += fmt::format("\n{}{}: {}", isOfRoot ? "| +- " : "| | +- ", guard.kind, guard.expression);
  }
  return text + "\n";
}

std::string graphCodeText(std::string_view name, std::string_view code) {
  std::string text =
      fmt::format("TRACED GRAPH\n ===== {} =====\n class GraphModule(torch.nn.Module):\n", name);
  while (!code.empty()) {
    const size_t end = std::min(code.find('\n'), code.size());
    if (end != 0) text += fmt::format("    {}", code.substr(0, end));
    text += '\n';
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return text;
}

std::string plainSegmentText(trace::SegmentId segment, int64_t opCount, std::string_view reason,
                             const std::vector<SourceLine>& lines) {
  return fmt::format("Segment {} ({} operators) in user code at {} runs operator by operator: {}",
                     static_cast<int64_t>(segment), opCount, placeText(lines), reason);
}

std::string aotRefusedText(std::string_view graphName, int64_t opCount, std::string_view reason) {
  return fmt::format("{} ({} operators) is not compiled ahead of time, it runs eagerly: {}",
                     graphName, opCount, reason);
}

std::string recompileLimitText(const FrameName& frame, int64_t limit, std::string_view limitName,
                               std::string_view lastReason) {
  return fmt::format(
      "torch._dynamo hit config.{} ({})\n   function: '{}' ({})\n   last reason: {}\n"
      "New inputs of this function run eagerly from here on; its compiled entries still serve the "
      "inputs that they fit.\n"
      "To log all recompilation reasons, use JITSCOPE_LOGS=\"recompiles\".\n"
      "To stop them, mark the sizes that vary with jitscope::markDynamic and hand varying numbers "
      "in as tensors; `jitscope report` on a recording names each cause.",
      limitName, limit, frame.name, functionText(frame), lastReason);
}

}  // namespace jitscope::compiler
