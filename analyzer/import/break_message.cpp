#include "analyzer/import/break_message.h"

#include <algorithm>
#include <array>

#include "analyzer/import/python_stack.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kItemWarning = "Graph break from `";
constexpr std::string_view kBuiltinWarning = "Graph break due to unsupported builtin ";
constexpr std::string_view kUserCode = "from user code at:";

/// What stands behind `mark`; empty when it is not there.
std::string_view after(std::string_view text, std::string_view mark) {
  const size_t at = text.find(mark);
  return at == std::string_view::npos ? std::string_view() : text.substr(at + mark.size());
}

/// What stands between `open` and the next `close`; empty when either is not there.
std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const std::string_view rest = after(text, open);
  const size_t end = rest.find(close);
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

std::string_view firstWord(std::string_view text) { return text.substr(0, text.find(' ')); }

std::string_view withoutDots(std::string_view name) {
  while (name.ends_with('.')) name.remove_suffix(1);
  return name;
}

/// `aten.nonzero.default`, an overload as Python names it, is the operator `aten::nonzero`.
std::string overloadOf(std::string_view context) {
  const size_t first = context.find('.'), second = context.rfind('.');
  const bool isName = context.find_first_of(" ()<>'`:/") == std::string_view::npos &&
                      std::count(context.begin(), context.end(), '.') == 2;
  if (!isName || first == 0 || second == first + 1) return {};
  return std::string(context.substr(0, first)) +
         "::" + std::string(context.substr(first + 1, second - first - 1));
}

/// The function that the developer's part of a message names.
std::string opOf(std::string_view context, std::string_view explanation) {
  if (const std::string_view qualified = between(context, "qualname: ", ", "); !qualified.empty()) {
    const std::string_view module = between(context, "module: ", ", ");
    const bool isNamed = !module.empty() && module != "None";
    return (isNamed ? std::string(module) + "." : "") + std::string(withoutDots(qualified));
  }
  if (const std::string_view rest = after(context, "call_method "); !rest.empty()) {
    const std::string_view object = rest.substr(0, rest.find('('));
    const std::string_view behind = after(rest, ") ");
    constexpr std::string_view kSuffix = "Variable";
    if (behind.empty() || !object.ends_with(kSuffix)) return {};
    return std::string(object.substr(0, object.size() - kSuffix.size())) + "." +
           std::string(firstWord(behind));
  }
  constexpr std::string_view kOperator = "unsupported operator: ";
  if (context.starts_with(kOperator))
    return std::string(firstWord(context.substr(kOperator.size())));
  if (context.starts_with("builtin ")) return std::string(firstWord(context.substr(8)));
  if (std::string op = overloadOf(context); !op.empty()) return op;
  return std::string(withoutDots(between(explanation, "trace the builtin `", "`")));
}

enum class Part { kNone, kReason, kExplanation, kHint, kContext, kStack };

struct PartMark {
  std::string_view mark;
  Part part;
};

constexpr std::array kPartMarks{
    PartMark{"Graph Break Reason:", Part::kReason},
    PartMark{"Reason:", Part::kReason},
    PartMark{"torch._dynamo.exc.Unsupported:", Part::kReason},
    PartMark{"Explanation:", Part::kExplanation},
    PartMark{"Hint:", Part::kHint},
    PartMark{"Developer debug context:", Part::kContext},
    PartMark{"User code traceback:", Part::kStack},
    PartMark{"The graph break occurred in the following user code:", Part::kStack},
    PartMark{"Traceback (most recent call last)", Part::kNone},
    PartMark{"For more details about this graph break", Part::kNone},
    PartMark{"Set TORCH_LOGS", Part::kNone},
    PartMark{"from user code:", Part::kStack},
};

/// Gathers the parts of a message line by line.
class MessageParts {
 public:
  explicit MessageParts(Part first) : part_(first) {}

  void take(std::string_view line) {
    if (line.starts_with("*** While handling this graph break")) isOver_ = true;
    if (isOver_) return;
    const std::string_view words = trimmedText(line);
    constexpr std::string_view kPage = "please visit: ";
    if (const size_t page = words.find(kPage); page != std::string_view::npos)
      hint_ += (hint_.empty() ? "see " : "\nsee ") + std::string(words.substr(page + kPage.size()));
    for (const PartMark& each : kPartMarks) {
      if (!words.starts_with(each.mark)) continue;
      begin(each.part, trimmedText(words.substr(each.mark.size())));
      return;
    }
    if (words.ends_with(kUserCode)) return begin(Part::kStack, {});
    append(line, words);
  }

  BreakMessage message() const {
    BreakMessage result;
    result.reason = reason_;
    result.explanation = explanation_;
    result.hint = hint_;
    result.op = opOf(context_, explanation_);
    result.stack = stackOfTraceback(traceback_);
    return result;
  }

 private:
  void begin(Part part, std::string_view words) {
    part_ = part;
    if (part == Part::kReason) reason_ = cleaned(words);
    if (part == Part::kExplanation) explanation_ = words;
    if (part == Part::kContext) context_ = words;
    if (part == Part::kHint) hint_ += (hint_.empty() ? "" : "\n") + std::string(words);
  }

  void append(std::string_view line, std::string_view words) {
    if (part_ == Part::kStack) {
      traceback_ += line;
      traceback_ += '\n';
    }
    if (words.empty()) return;
    if (part_ == Part::kReason) return appendReason(words);
    // Only indented lines continue a part.
    if (!line.starts_with("    ")) return;
    if (part_ == Part::kExplanation) (explanation_ += ' ') += words;
    if (part_ == Part::kHint) (hint_ += ' ') += words;
    if (part_ == Part::kContext) (context_ += ' ') += words;
  }

  /// "Encountered graph break when attempting to trace CALL: …:" has the type on a later line.
  void appendReason(std::string_view words) {
    if (reason_.empty() || reason_.starts_with("Encountered graph break")) reason_ = cleaned(words);
  }

  static std::string cleaned(std::string_view words) {
    constexpr std::string_view kClass = "Unsupported: ";
    if (words.starts_with(kClass)) words.remove_prefix(kClass.size());
    if (words.size() > 1 && words.starts_with('\'') && words.ends_with('\''))
      words = words.substr(1, words.size() - 2);
    return std::string(words);
  }

  Part part_;
  bool isOver_ = false;
  std::string reason_, explanation_, hint_, context_, traceback_;
};

BreakMessage partsOf(std::string_view text, Part first) {
  MessageParts parts(first);
  forEachLine(text, [&](std::string_view line) { parts.take(line); });
  return parts.message();
}

std::string_view firstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

/// What older messages have before their stack: `Graph break: REASON from user code at:`.
std::string oldReason(std::string_view line) {
  constexpr std::string_view kMark = "Graph break: ";
  if (!line.starts_with(kMark)) return {};
  line.remove_prefix(kMark.size());
  return std::string(trimmedText(line.substr(0, line.find("from user code at"))));
}

/// A frame that is given up as a whole, in the words of several versions.
bool tellsSkip(std::string_view text) {
  for (const std::string_view words :
       {"which results in a skip", "Graph break: skip:", "skipping frame", "Skipping frame because",
        "will skip tracing the frame", "decided to skip the frame", "WON'T CONVERT"}) {
    if (text.find(words) != std::string_view::npos) return true;
  }
  return false;
}

BreakMessage itemWarning(std::string_view text) {
  BreakMessage message = partsOf(text, Part::kNone);
  const std::string_view call = between(text, kItemWarning, "`");
  message.op = call.ends_with("()") ? call.substr(0, call.size() - 2) : call;
  message.reason = std::string(call) + " reads a value";
  message.hint = "torch._dynamo.config.capture_scalar_outputs = True";
  message.isWarning = true;
  return message;
}

BreakMessage builtinWarning(std::string_view text) {
  BreakMessage message;
  const std::string_view rest = firstLine(after(text, kBuiltinWarning));
  message.op = rest.substr(0, rest.find(". "));
  message.reason = std::string(kBuiltinWarning) + message.op;
  message.explanation = rest;
  message.stack = stackOfTraceback(text);
  message.isWarning = true;
  return message;
}

}  // namespace

bool beginsBreakMessage(std::string_view line) {
  for (const std::string_view begin : {"Graph break", "torch.compile intentionally decided to skip",
                                       "WON'T CONVERT", "torchdynamo hit", "Skipping frame"}) {
    if (line.starts_with(begin)) return true;
  }
  return line.find("graph break in a for/while loop, skipping frame") != std::string_view::npos;
}

std::optional<BreakMessage> parseBreakMessage(std::string_view text) {
  if (text.find(kBuiltinWarning) != std::string_view::npos) return builtinWarning(text);
  std::string_view first = firstLine(text);
  constexpr std::string_view kWarning = "UserWarning: ";
  if (const std::string_view warned = after(first, kWarning); !warned.empty()) first = warned;
  if (!beginsBreakMessage(first)) return std::nullopt;
  if (first.starts_with(kItemWarning)) return itemWarning(text);
  BreakMessage message = partsOf(text, Part::kNone);
  message.skipsFrame = tellsSkip(text);
  if (message.reason.empty()) message.reason = oldReason(first);
  if (message.reason.empty() && message.skipsFrame) message.reason = first;
  // 2.0 writes the first line of the stack behind the reason.
  if (message.stack.empty() && first.find("  File \"") != std::string_view::npos)
    message.stack = stackOfTraceback(first.substr(first.find("  File \"")));
  if (message.stack.empty()) {
    const std::string_view place = after(first, "in user code at ");
    message.stack = trimmedText(place);
  }
  return message;
}

BreakMessage parseBreakReason(std::string_view text) { return partsOf(text, Part::kReason); }

}  // namespace jitscope::analyzer
