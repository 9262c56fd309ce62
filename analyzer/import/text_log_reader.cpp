#include "analyzer/import/text_log_reader.h"

#include <algorithm>

#include "analyzer/import/break_message.h"
#include "analyzer/import/cudagraph_message.h"
#include "analyzer/import/program_message.h"
#include "analyzer/import/python_stack.h"
#include "analyzer/import/server_line.h"
#include "analyzer/import/serving_message.h"

namespace jitscope::analyzer {
namespace {

/// More than any message has; what is longer is cut.
constexpr size_t kLongestMessage = size_t{16} << 20;
/// Streams that are open at once; a log that names more is hostile.
constexpr size_t kMostStreams = 4096;

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> begins) {
  return std::any_of(begins.begin(), begins.end(),
                     [&](std::string_view begin) { return text.starts_with(begin); });
}

bool containsAny(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  });
}

/// Whether a line begins a further message although prefix and time are those of the last one.
bool beginsMessage(std::string_view line, std::string_view open) {
  // The item warning has a line of this kind in its midst.
  if (line.starts_with("Graph break: from user code") && open.starts_with("Graph break from `"))
    return false;
  return beginsBreakMessage(line) ||
         startsWithAny(line, {"Recompiling function", "('Recompiling function", "GUARDS:",
                              "TRACED GRAPH", "torch._dynamo hit config", "skipping cudagraph",
                              "disabling cudagraph", "recording cudagraph", "Recording cudagraph",
                              "cudagraph partition", "create_symbol", "eval "});
}

/// Whether the first line of a message cannot be all of it.
bool wantsMore(std::string_view line) {
  return line.ends_with(':') || startsWithAny(line, {"torch._dynamo hit config", "TRACED GRAPH"});
}

/// What the compiler writes without a prefix: warnings, exceptions, and logs in a format of the
/// user's.
bool isBareBeginning(std::string_view line, std::string_view open) {
  // The item warning has a line of this kind in its midst.
  if (line.starts_with("Graph break: from user code") &&
      open.find("Graph break from `") != std::string_view::npos)
    return false;
  // A traceback of older messages ends with the exception that was the break.
  if (line.starts_with("torch._dynamo.exc.Unsupported") && open.starts_with("Graph break") &&
      open.find("\nTraceback (most recent call last)") != std::string_view::npos)
    return false;
  return beginsBreakMessage(line) || parseCudagraphMessage(line) || parseProgramMessage(line) ||
         parseServingMessage(line) ||
         startsWithAny(line, {"Recompiling function", "torch._dynamo hit config",
                              "torch._dynamo.exc.", "torch._inductor.exc.",
                              "torch.fx.experimental.symbolic_shapes.ConstraintViolationError",
                              "torch.cuda.OutOfMemoryError", "torch.OutOfMemoryError"}) ||
         containsAny(line,
                     {"UserWarning: Graph break", "flex_attention called without torch.compile"});
}

/// Whether a line belongs to the message without prefix before it.
bool continuesBare(std::string_view line, std::string_view open) {
  if (startsWithAny(line, {"torch._dynamo.exc.Unsupported", "Graph break: from user code"}))
    return true;
  // What a backend raised stands on the line below.
  if (open.ends_with("raised:")) return true;
  return line.empty() || line.front() == ' ' || line.front() == '\t' ||
         startsWithAny(line, {"Graph Break Reason:", "User code traceback:", "Traceback (most",
                              "triggered by", "from user code:", "Set TORCH", "to include",
                              "torch.compile will skip", "The graph break occurred",
                              "or:", "The above exception was", "During handling of the above"});
}

/// Whether a message without the compiler's prefix shows that the log is one of the compiler.
bool tellsCompiler(const TextLogMessage& message) {
  return message.site != kServerSite || isOfCompiler(message.artifact);
}

/// Without the escape sequences of a terminal.
std::string withoutColours(std::string_view line) {
  std::string plain;
  for (size_t at = 0; at < line.size();) {
    const size_t escape = std::min(line.find('\x1b', at), line.size());
    plain += line.substr(at, escape - at);
    at = escape + 1;
    if (escape + 1 >= line.size()) break;
    if (line[at] != '[') continue;
    at = line.find_first_not_of("0123456789;?", at + 1);
    if (at == std::string_view::npos) break;
    ++at;
  }
  return plain;
}

/// Takes `[0/1]` and `[__recompiles]` off the front of a prefix's text.
void takeTags(std::string_view& text, TextLogMessage& message) {
  while (text.starts_with('[')) {
    const size_t close = text.find(']');
    if (close == std::string_view::npos) return;
    const std::string_view tag = text.substr(1, close - 1);
    if (const auto id = parseTorchCompileId(tag); id && message.artifact.empty())
      message.id = *id;
    else if (tag.starts_with("__"))
      message.artifact = tag.substr(2);
    else
      return;
    text.remove_prefix(close + 1);
    if (text.starts_with(' ')) text.remove_prefix(1);
  }
}

/// `[0/0] torch._dynamo.guards.__guards` → id, logger and artifact.
void readLogger(TextLogMessage& message) {
  std::string_view site = message.site;
  if (site.starts_with('[')) takeTags(site, message);
  const size_t mark = site.find(".__");
  if (mark != std::string_view::npos) message.artifact = site.substr(mark + 3);
  message.site = std::string(site.substr(0, mark));
}

auto identity(const TextLogMessage& message) {
  return std::tie(message.site, message.time.dayNs, message.time.day, message.id, message.artifact,
                  message.level);
}

}  // namespace

TextLogReader::TextLogReader(Visit visit) : visit_(std::move(visit)), cut_(kLongestMessage) {}

void TextLogReader::feed(std::string_view block) {
  lines_.feed(block, [this](std::string_view line) { takeLine(line); });
}

void TextLogReader::finish() {
  lines_.finish([this](std::string_view line) {
    takeLine(line);
    // What still waits for its end (a prompt, a cut line) is no line yet.
    if (!line.ends_with('\r')) --counts_.lines;
  });
  cut_.finish([this](std::string_view line, int64_t rank) { takeProgramLine(line, rank); });
  endAll(open_);
  endAll(bare_);
}

void TextLogReader::takeLine(std::string_view line) {
  ++counts_.lines;
  const int64_t foreignBefore = counts_.foreign;
  std::string scratch;
  LineFront object = takeLogObject(line, scratch);
  if (object.line.ends_with('\r')) object.line.remove_suffix(1);
  const auto takeJoined = [this](std::string_view whole, int64_t rank) {
    takeProgramLine(whole, rank);
  };
  if (!cut_.take(object, takeJoined)) takeProgramLine(object.line, object.rank);
  counts_.foreign = std::min(counts_.foreign, foreignBefore + 1);
}

/// Takes a line behind the fronts of collectors that have been taken off; `rank` is theirs.
void TextLogReader::takeProgramLine(std::string_view line, int64_t rank) {
  std::string plain;
  if (line.find('\x1b') != std::string_view::npos) {
    plain = withoutColours(line);
    line = plain;
  }
  LineFront front = takeLineFront(line);
  const auto takeJoined = [this](std::string_view whole, int64_t joinedRank) {
    takeProgramLine(whole, joinedRank);
  };
  if (cut_.take(front, takeJoined)) return;
  if (front.rank < 0) front.rank = rank;
  takePieces(line, front);
}

/// A progress bar writes itself again and again into one line, each time after a carriage return.
void TextLogReader::takePieces(std::string_view line, const LineFront& front) {
  size_t end = line.find('\r');
  if (end == std::string_view::npos) return takePiece(line, front);
  while (true) {
    const std::string_view piece = line.substr(0, end);
    LineFront own = takeLineFront(piece);
    // What a launcher writes in front stands there once.
    if (own.rank < 0) own.rank = front.rank;
    takePiece(piece, own);
    if (end == std::string_view::npos) return;
    line.remove_prefix(end + 1);
    end = line.find('\r');
  }
}

void TextLogReader::takePiece(std::string_view piece, const LineFront& front) {
  if (const std::optional<LogPrefix> prefix = findPrefix(piece, front.rank))
    takePrefixed(*prefix);
  else if (!takeServerLine(piece, front.rank))
    takeBare(front);
}

/// What a server says of its start is a message in one line.
bool TextLogReader::takeServerLine(std::string_view piece, int64_t rank) {
  const std::optional<ServerLine> line = readServerLine(piece);
  if (!line) return false;
  TextLogMessage message;
  message.rank = line->rank < 0 ? rank : line->rank;
  message.time = line->time;
  message.site = kServerSite;
  message.artifact = line->stage;
  message.text = line->text.substr(0, kLongestMessage);
  end(message);
  return true;
}

void TextLogReader::takePrefixed(const LogPrefix& prefix) {
  for (const int64_t rank : {prefix.rank, int64_t{-1}}) {
    if (const auto bare = bare_.find(rank); bare != bare_.end()) end(bare->second);
  }
  TextLogMessage next;
  next.rank = prefix.rank;
  next.process = prefix.process;
  next.time = prefix.time;
  next.level = prefix.level;
  next.site = prefix.site;
  std::string_view text = prefix.text;
  if (prefix.time.year != 0) readLogger(next);
  takeTags(text, next);
  if (open_.size() >= kMostStreams) endAll(open_);
  isLatestOpen_ = prefix.time.year != 0 && wantsMore(text);
  latest_ = next;
  TextLogMessage& open = open_[{next.rank, next.process}];
  const bool isSame = open.level != 0 && identity(open) == identity(next) &&
                      open.text.size() + text.size() < kLongestMessage &&
                      !beginsMessage(text, open.text);
  if (isSame) {
    (open.text += '\n') += text;
    return;
  }
  end(open);
  open = std::move(next);
  open.text = text.substr(0, kLongestMessage);
}

/// Whether a line without prefix belongs to the prefixed message before it. PyTorch 2.0 writes the
/// prefix once a message, later ones in every line.
bool TextLogReader::continuesLatest(std::string_view line) {
  if (!isLatestOpen_ || line.empty()) return false;
  TextLogMessage& open = open_[{latest_.rank, latest_.process}];
  const bool isIndented = line.front() == ' ' || line.front() == '\t' || line.front() == '-';
  if (!isIndented && !continuesBare(line, open.text)) return false;
  if (open.level == 0 || open.text.size() + line.size() >= kLongestMessage) return false;
  (open.text += '\n') += line;
  return true;
}

/// The message that tells which process of that rank writes now; null when none does.
const TextLogMessage* TextLogReader::latestOf(int64_t rank) const {
  if (rank < 0 || rank == latest_.rank) return &latest_;
  const auto known = open_.lower_bound({rank, 0});
  return known != open_.end() && known->first.first == rank ? &known->second : nullptr;
}

void TextLogReader::takeBare(const LineFront& front) {
  const std::string_view line = front.text;
  const auto known = bare_.find(front.rank);
  const bool begins =
      isBareBeginning(line, known == bare_.end() ? std::string_view() : known->second.text);
  if (!begins && continuesLatest(line)) return;
  isLatestOpen_ = false;
  if (bare_.size() >= kMostStreams) endAll(bare_);
  TextLogMessage& bare = bare_[front.rank];
  if (begins) {
    end(bare);
    bare.rank = front.rank;
    if (const TextLogMessage* const latest = latestOf(front.rank); latest != nullptr) {
      bare.rank = latest->rank;
      bare.process = latest->process;
      bare.time = latest->time;
    }
    bare.text = line.substr(0, kLongestMessage);
  } else if (!bare.text.empty() && continuesBare(line, bare.text) &&
             bare.text.size() < kLongestMessage) {
    (bare.text += '\n') += line;
  } else {
    end(bare);
    if (!line.empty()) ++counts_.foreign;
  }
}

template <class Key>
void TextLogReader::endAll(std::map<Key, TextLogMessage>& messages) {
  for (auto& [key, message] : messages) end(message);
  messages.clear();
}

void TextLogReader::end(TextLogMessage& message) {
  if (message.level != 0 || !message.text.empty()) {
    if (tellsCompiler(message)) ++counts_.messages;
    visit_(message);
  }
  message = {};
}

bool looksLikeCompileLog(std::string_view text) {
  bool found = false;
  TextLogReader reader([&](const TextLogMessage& message) {
    found |= (message.level == 0 && tellsCompiler(message)) ||
             containsAny(message.site, {"torch", "compiler/journal"});
  });
  reader.feed(text);
  reader.finish();
  return found;
}

}  // namespace jitscope::analyzer
