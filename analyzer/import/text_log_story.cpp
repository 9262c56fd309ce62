#include "analyzer/import/text_log_story.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "analyzer/import/program_message.h"
#include "analyzer/import/python_stack.h"
#include "analyzer/import/serving_message.h"
#include "analyzer/import/text_parts.h"

namespace jitscope::analyzer {
namespace {

/// A log that names more is hostile; what is beyond goes to the first.
constexpr size_t kMostProcesses = 1024;
constexpr size_t kMostSymbols = 65536;

/// `FILE:LINE`, where the file may hold colons and the line may be missing.
void readPlace(std::string_view text, FunctionPlace& place) {
  text = trimmedText(text);
  const size_t colon = text.rfind(':');
  int64_t line = 0;
  if (colon != std::string_view::npos) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, line);
    if (error == std::errc() && stop == end) {
      place.line = line;
      text = text.substr(0, colon);
    }
  }
  place.file = text;
}

/// `Recompiling function NAME in FILE:LINE`
FunctionPlace recompiledFunction(std::string_view line) {
  FunctionPlace place;
  const std::string_view rest = textAfter(line, "Recompiling function ");
  const size_t in = rest.find(" in ");
  place.name = rest.substr(0, in);
  if (in != std::string_view::npos) readPlace(rest.substr(in + 4), place);
  return place;
}

/// `function: 'NAME' (FILE:LINE)`
FunctionPlace limitedFunction(std::string_view text) {
  FunctionPlace place;
  const std::string_view line = firstLineOf(textAfter(text, "function: '"));
  const size_t quote = line.find("' (");
  if (quote == std::string_view::npos) return place;
  place.name = line.substr(0, quote);
  const std::string_view rest = line.substr(quote + 3);
  readPlace(rest.substr(0, rest.rfind(')')), place);
  return place;
}

/// Whether an item of a list of reasons belongs to the reason above: the lines of the user's stack
/// are items too.
bool continuesReason(std::string_view item, const std::vector<std::string>& items) {
  constexpr std::string_view kStack = "User stack trace:";
  if (items.empty()) return false;
  if (item.starts_with(kStack)) return true;
  return contains(items.back(), kStack) && !takeTorchCompileId(item);
}

/// The reasons of a message, one for each `- ` item or `guard N failures:` block.
std::vector<RecompileReason> listedReasons(std::string_view text) {
  std::vector<std::string> items;
  forEachLine(text, [&](std::string_view line) {
    const std::string_view words = trimmedText(line);
    const bool isItem = words.starts_with("- ");
    const std::string_view item = isItem ? trimmedText(words.substr(2)) : words;
    if (isItem && !continuesReason(item, items))
      items.emplace_back(item);
    else if (!items.empty() && !words.empty() && !words.ends_with("failures:"))
      (items.back() += '\n') += item;
  });
  std::vector<RecompileReason> reasons;
  reasons.reserve(items.size());
  for (const std::string& item : items) reasons.push_back(parseRecompileReason(item));
  return reasons;
}

/// The message of 2023, a Python tuple:
/// `('Recompiling function step in /srv/f.py', "triggered by the following guard failure: …")`
std::string withoutTuple(std::string_view text) {
  constexpr std::string_view kOpen = "('Recompiling function ";
  constexpr std::string_view kBetween = "', ",
                             kFailure = "triggered by the following guard failure";
  if (!text.starts_with(kOpen)) return std::string(text);
  const size_t end = text.find(kBetween);
  const std::string_view rest = textAfter(text, kFailure);
  const size_t colon = rest.find(": ");
  if (end == std::string_view::npos || colon == std::string_view::npos) return std::string(text);
  std::string_view reason = rest.substr(colon + 2);
  for (const char close : {')', '"', '\''}) {
    if (reason.ends_with(close)) {
      reason.remove_suffix(1);
      if (close != ')') break;
    }
  }
  return std::string(text.substr(2, end - 2)) + "\n    - " + std::string(reason);
}

/// Whether a message is part of the course of a compilation. Warnings come at any time, and what is
/// said of CUDA graphs while compiled code runs.
bool isOfCompilation(const TextLogMessage& message) {
  const bool isLogged = message.level == 'V' || message.level == 'I';
  return isLogged && !contains(message.site, "cudagraph") && message.artifact != "cudagraphs" &&
         message.artifact != "perf_hints";
}

/// The reasons in the words of 2.0: `reasons:  L['n'] == 3`, or a list, `reasons:  ['x', 'y']`.
std::vector<std::string_view> oldReasons(std::string_view text) {
  std::string_view rest = trimmedText(firstLineOf(textAfter(text, "   reasons: ")));
  if (!rest.starts_with("['") && !rest.starts_with("[\"")) {
    if (rest.empty()) return {};
    return {rest};
  }
  std::vector<std::string_view> reasons;
  while (rest.size() > 3) {
    const char quote = rest[1];
    const size_t next = rest.find(std::string{quote, ',', ' '}, 2);
    const size_t end = next == std::string_view::npos ? rest.rfind(quote) : next;
    if (end == std::string_view::npos || end < 2) break;
    reasons.push_back(rest.substr(2, end - 2));
    if (next == std::string_view::npos) break;
    rest.remove_prefix(next + 2);
  }
  return reasons;
}

/// The source that is guarded in `create_symbol s77 = 5 for L['x'].size()[0] …`.
bool isOfInput(std::string_view text) { return contains(firstLineOf(text), " for L["); }

}  // namespace

void TextLogStory::add(const TextLogMessage& message) {
  if (message.id.isTold()) ids_.insert(message.id);
  if (message.rank >= 0) ranks_.insert(message.rank);
  const bool hasTime = message.time.month != 0;
  const Moment at{hasTime ? unixNs(message.time) : lastNs_, message.process};
  hasYear_ |= message.time.year != 0;
  lastNs_ = std::max(lastNs_, at.timeNs);
  addKnown(message, at);
  if (!message.id.isTold() || !isOfCompilation(message)) return;
  // First and last line of a compilation are all that a text log tells of its time.
  CompileJournal& journal = tellerOf(message, at).journal;
  if (journal.isRefused(message.id)) return;
  trace::CompileRow& row = journal.compile(message.id, at);
  row.endNs = std::max(row.endNs, at.timeNs);
}

bool TextLogStory::addKnown(const TextLogMessage& message, const Moment& at) {
  const std::string_view text = message.text;
  if (message.site == kServerSite) return addServerStage(message, at), true;
  if (contains(firstLineOf(text), "Recompiling function ")) return addRecompile(message, at), true;
  if (text.starts_with("torch._dynamo hit config.")) return addLimit(message, at), true;
  if (addCudagraph(message, at) || addException(message, at)) return true;
  if (const auto known = parseProgramMessage(text)) {
    tellerOf(message, at)
        .journal.addArtifact(message.id, "program_message", known->topic, known->told, at);
    return true;
  }
  if (const auto served = parseServingMessage(text)) {
    tellerOf(message, at).journal.addArtifact(message.id, served->kind, served->numbers, {}, at);
    return true;
  }
  if (contains(text, "TREE_GUARD_MANAGER") || text.starts_with("GUARDS:"))
    return addGuards(message, at), true;
  if (text.starts_with("TRACED GRAPH") && message.id.isTold())
    return addText(message, at, "graph_code", "graph_code"), true;
  if (text.starts_with("Output code:") && message.id.isTold())
    return addText(message, at, "output_code", "output_code"), true;
  if (text.starts_with("create_symbol ")) return addSymbol(message, at), true;
  if (text.starts_with("eval Eq(")) return addEvaluation(message, at), true;
  std::optional<BreakMessage> told = parseBreakMessage(text);
  if (!told) return false;
  tellerOf(message, at).journal.addBreak(message.id, std::move(*told), at);
  return true;
}

TextLogStory::Teller& TextLogStory::tellerOf(const TextLogMessage& message, const Moment& at) {
  const int64_t pid = processOf(message.process);
  const std::pair key{message.rank, pid};
  if (tellers_.size() >= kMostProcesses && !tellers_.contains(key))
    return *tellers_.begin()->second;
  std::unique_ptr<Teller>& teller = tellers_[key];
  if (teller == nullptr) {
    teller = std::make_unique<Teller>(openSink_());
    teller->row.pid = pid;
    teller->row.rank = message.rank;
    teller->row.startNs = at.timeNs;
    const bool isOurs = contains(message.site, "compiler/journal");
    if (!isOurs) teller->row.executable = teller->journal.intern("python");
  }
  return *teller;
}

void TextLogStory::addRecompile(const TextLogMessage& message, const Moment& at) {
  ++counts_["recompiling"];
  const std::string text = withoutTuple(message.text);
  tellerOf(message, at)
      .journal.addRecompile(message.id, recompiledFunction(firstLineOf(text)), listedReasons(text),
                            at);
}

void TextLogStory::addLimit(const TextLogMessage& message, const Moment& at) {
  ++counts_["limit"];
  addText(message, at, "recompile_limit",
          trimmedText(textAfter(firstLineOf(message.text), "hit config.")));
  std::vector<RecompileReason> reasons;
  const std::string_view last = textAfter(message.text, "last reason: ");
  const std::string_view reason = last.substr(0, last.find("\nTo log all"));
  if (!reason.empty()) reasons.push_back(parseRecompileReason(reason));
  for (const std::string_view each : oldReasons(message.text))
    reasons.push_back(parseRecompileReason(each));
  tellerOf(message, at).journal.addLimit(message.id, limitedFunction(message.text), reasons, at);
}

void TextLogStory::addGuards(const TextLogMessage& message, const Moment& at) {
  if (!message.id.isTold()) return;
  const std::vector<LoggedGuard> guards = parseGuards(message.text);
  if (guards.empty()) return;
  CompileJournal& journal = tellerOf(message, at).journal;
  journal.addGuards(message.id, guards);
  journal.compile(message.id, at).guardCount = static_cast<int64_t>(guards.size());
}

void TextLogStory::addText(const TextLogMessage& message, const Moment& at, std::string_view kind,
                           std::string_view name) {
  tellerOf(message, at).journal.addArtifact(message.id, kind, name, message.text, at);
}

void TextLogStory::addSymbol(const TextLogMessage& message, const Moment& at) {
  if (!message.id.isTold() || !isOfInput(message.text)) return;
  Teller& teller = tellerOf(message, at);
  teller.journal.compile(message.id, at).isDynamic = 1;
  if (teller.symbols.size() >= kMostSymbols) return;
  const std::string_view line = textAfter(firstLineOf(message.text), "create_symbol ");
  const std::string_view source = textAfter(line, " for ");
  const std::string_view symbol = line.substr(0, line.find(' '));
  teller.symbols[{message.id, std::string(symbol)}] = source.substr(0, source.find(' '));
}

/// `eval Eq(s77, 5) [guard added] if x.size(0) == 5:  # app.py:5 in f (…)`: a size that was dynamic
/// is a constant from here on.
void TextLogStory::addEvaluation(const TextLogMessage& message, const Moment& at) {
  const std::string_view line = textAfter(firstLineOf(message.text), "eval ");
  const std::string_view guard = line.substr(0, line.find(')') + 1);
  const std::string_view symbol = textAfter(guard.substr(0, guard.find(", ")), "Eq(");
  const std::string_view value = textAfter(guard, ", ");
  if (!contains(line, "[guard added]") || symbol.empty()) return;
  Teller& teller = tellerOf(message, at);
  const auto source = teller.symbols.find({message.id, std::string(symbol)});
  trace::SpecializationRow row;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), row.value);
  const bool isNumber = error == std::errc() && end + 1 == value.data() + value.size();
  if (source == teller.symbols.end() || !isNumber) return;
  row.timeNs = at.timeNs;
  row.source = teller.journal.intern(source->second);
  row.reason = teller.journal.intern("the guard " + std::string(guard) + " was added");
  row.stack = teller.journal.intern(parseRecompileReason(line).stack);
  teller.journal.addSpecialization(message.id, row);
}

int64_t TextLogStory::finish(int64_t fileNs) {
  for (auto& [key, teller] : tellers_) {
    teller->journal.finish();
    counts_["graph_break"] += teller->journal.breakCount();
    trace::emit(teller->sink, teller->row);
  }
  return hasYear_ ? 0 : LogClock().offsetNs(lastNs_, fileNs);
}

std::vector<std::pair<std::string, int64_t>> TextLogStory::counts() const {
  const auto counted = [&](std::string_view name) {
    const auto known = counts_.find(name);
    return known == counts_.end() ? 0 : known->second;
  };
  const auto ids = static_cast<int64_t>(ids_.size());
  // Three things go by two names each among the people who count them.
  return {{"recompiling", counted("recompiling")},
          {"limit", counted("limit")},
          {"limit_hits", counted("limit")},
          {"graph_break", counted("graph_break")},
          {"graph_breaks", counted("graph_break")},
          {"cudagraph_lines", counted("cudagraph_lines")},
          {"cudagraph_skips", counted("cudagraph_skips")},
          {"backend_fail", counted("backend_fail")},
          {"oom", counted("oom")},
          {"compile_ids", ids},
          {"compile_id_tags", ids},
          {"ranks", static_cast<int64_t>(ranks_.size())}};
}

}  // namespace jitscope::analyzer
