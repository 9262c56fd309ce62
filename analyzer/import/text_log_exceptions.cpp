#include <algorithm>
#include <charconv>

#include "analyzer/import/cudagraph_message.h"
#include "analyzer/import/python_stack.h"
#include "analyzer/import/server_line.h"
#include "analyzer/import/text_log_story.h"
#include "analyzer/import/text_parts.h"

/// \file
/// The part of TextLogStory that reads exceptions, and what servers and CUDA graphs say.
namespace jitscope::analyzer {
namespace {

/// The size that a violated constraint is about, in the words of several versions:
/// `Not all values of batch = L['x'].size()[0] in the specified range …`,
/// `Not all values of RelaxedUnspecConstraint(L['x'].size()[0]) are valid because …`,
/// `You marked L['x'].size()[0] as dynamic but …`.
std::string_view constrainedSource(std::string_view line) {
  if (const std::string_view marked = textAfter(line, "You marked "); !marked.empty())
    return marked.substr(0, marked.find(" as dynamic"));
  std::string_view source = textAfter(line, "values of ");
  if (const std::string_view inner = textAfter(source, "Constraint("); !inner.empty())
    return inner.substr(0, inner.find(") are valid"));
  source = source.substr(0, source.find(" in the specified"));
  const std::string_view named = textAfter(source, " = ");
  return named.empty() ? source : named;
}

/// Whether a line is how a program ended: an exception of the compiler without a log's prefix.
bool endsProgram(const TextLogMessage& message) {
  return message.level == 0 && (message.text.starts_with("torch._dynamo.exc.") ||
                                message.text.starts_with("torch._inductor.exc."));
}

/// Whether a further exception follows that tells this one again.
bool isCauseOfNext(std::string_view text) {
  return contains(text, "\nThe above exception was the direct cause of") ||
         contains(text, "\nDuring handling of the above exception");
}

}  // namespace

bool TextLogStory::addCudagraph(const TextLogMessage& message, const Moment& at) {
  const std::optional<CudagraphMessage> told = parseCudagraphMessage(message.text);
  if (!told) return false;
  const bool isSkip = told->kind == "cudagraph_skip";
  if (isSkip || told->kind == "cudagraph_record") ++counts_["cudagraph_lines"];
  if (isSkip) ++counts_["cudagraph_skips"];
  addText(message, at, told->kind, told->told);
  return true;
}

/// A stage with its nanoseconds in front of the line; none where the line only tells that it began.
void TextLogStory::addServerStage(const TextLogMessage& message, const Moment& at) {
  const std::optional<ServerLine> line = readServerLine(message.text);
  if (!line) return;
  if (line->stage == "autotune_begin") {
    const std::string_view op = textAfter(line->text, "AUTOTUNE ");
    autotuned_ = trimmedText(op.substr(0, op.find(')') + 1));
    return;
  }
  constexpr double kLongestSeconds = 1e9;
  const double seconds = std::min(line->seconds, kLongestSeconds);
  std::string content = seconds < 0 ? "" : std::to_string(static_cast<int64_t>(seconds * 1e9));
  (content += '\n') += line->text;
  const bool isAutotune = line->stage == "autotune";
  tellerOf(message, at)
      .journal.addArtifact({}, isAutotune ? "autotune" : "server_stage",
                           isAutotune ? std::string_view(autotuned_) : line->stage, content, at);
}

bool TextLogStory::addException(const TextLogMessage& message, const Moment& at) {
  const std::string_view line = firstLineOf(message.text);
  if (line.starts_with("torch._dynamo.exc.BackendCompilerFailed:")) {
    ++counts_["backend_fail"];
    return addFailure(message, at), true;
  }
  if (contains(line, "OutOfMemoryError")) return ++counts_["oom"], true;
  if (contains(line, "FailOnRecompileLimitHit")) return addFatalLimit(message, at), true;
  const bool isViolation = contains(line, "ConstraintViolationError") ||
                           line.starts_with("torch._dynamo.exc.UserError: Constraints violated");
  if (isViolation) return addConstraint(message, at), true;
  if (endsProgram(message)) return addFailure(message, at), true;
  if (contains(line, "flex_attention called without torch.compile"))
    return addText(message, at, "eager_fallback", "flex_attention"), true;
  return false;
}

/// The warning that tells the function comes before it, unless the log holds the exception alone.
void TextLogStory::addFatalLimit(const TextLogMessage& message, const Moment& at) {
  addText(message, at, "exception", "FailOnRecompileLimitHit");
  if (counts_["limit"] == 0) tellerOf(message, at).journal.addLimit(message.id, {}, {}, at);
}

/// An exception that ended a compilation. Of a graph break that was not allowed the break is told
/// as well.
void TextLogStory::addFailure(const TextLogMessage& message, const Moment& at) {
  if (isCauseOfNext(message.text)) return;
  CompileJournal& journal = tellerOf(message, at).journal;
  std::string text = message.text;
  // What a backend raised stands below; it is what a person looks for.
  const size_t end = text.find('\n');
  if (end != std::string::npos && text[end - 1] == ':') text[end] = ' ';
  std::optional<BreakMessage> broken;
  if (text.starts_with("torch._dynamo.exc.Unsupported:")) {
    broken = parseBreakMessage(textAfter(text, "torch._dynamo.exc.Unsupported: "));
    if (!broken) broken = parseBreakReason(text);
    if (broken->stack.empty()) broken->stack = stackOfTraceback(text);
  }
  journal.addFailure(message.id, text, at, std::move(broken));
}

/// `… values of batch = L['x'].size()[0] in the specified range … inferred to be a constant (256).`
void TextLogStory::addConstraint(const TextLogMessage& message, const Moment& at) {
  addText(message, at, "exception", "ConstraintViolationError");
  forEachLine(message.text, [&](std::string_view line) {
    std::string_view constant = textAfter(line, "inferred to be a constant (");
    if (constant.empty()) constant = textAfter(line, "specialized it to be a constant (");
    const std::string_view source = constrainedSource(line);
    if (constant.empty() || source.empty()) return;
    trace::SpecializationRow row;
    CompileJournal& journal = tellerOf(message, at).journal;
    row.timeNs = at.timeNs;
    row.source = journal.intern(source);
    row.reason = journal.intern(
        "marked dynamic, but inferred to be a constant, which ended "
        "the program with ConstraintViolationError");
    std::from_chars(constant.data(), constant.data() + constant.size(), row.value);
    journal.addSpecialization(message.id, row);
  });
}

}  // namespace jitscope::analyzer
