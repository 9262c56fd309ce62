#include "analyzer/import/text_log_reader.h"

#include <algorithm>

#include "analyzer/import/break_message.h"
#include "analyzer/import/python_stack.h"

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
         startsWithAny(line, {"Recompiling function", "('Recompiling function",
                              "GUARDS:", "TRACED GRAPH", "torch._dynamo hit config",
                              "skipping cudagraphs", "recording cudagraph", "create_symbol"});
}

/// What the compiler writes without a prefix: warnings, exceptions, and logs in a format of the
/// user's.
bool isBareBeginning(std::string_view line) {
  return beginsBreakMessage(line) ||
         startsWithAny(line, {"Recompiling function", "torch._dynamo hit config",
                              "skipping cudagraphs due to", "torch._dynamo.exc.",
                              "torch.fx.experimental.symbolic_shapes.ConstraintViolationError",
                              "torch.cuda.OutOfMemoryError", "torch.OutOfMemoryError"}) ||
         containsAny(line,
                     {"UserWarning: Graph break", "flex_attention called without torch.compile",
                      "accessing tensor output of CUDAGraphs that has been overwritten",
                      "CUDAGraph supports dynamic shapes by recording"});
}

/// Whether a line belongs to the message without prefix before it.
bool continuesBare(std::string_view line, std::string_view open) {
  // What a backend raised stands on the line below.
  if (open.ends_with("raised:")) return true;
  return line.empty() || line.front() == ' ' || line.front() == '\t' ||
         startsWithAny(line, {"Graph Break Reason:", "User code traceback:", "Traceback (most",
                              "triggered by", "from user code:", "Set TORCH", "to include",
                              "torch.compile will skip", "The graph break occurred", "or:"});
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

void TextLogReader::feed(std::string_view block) {
  lines_.feed(block, [this](std::string_view line) { takeLine(line); });
}

void TextLogReader::finish() {
  lines_.finish([this](std::string_view line) {
    takeLine(line);
    // What still waits for its end (a prompt, a cut line) is no line yet.
    if (!line.ends_with('\r')) --lineCount_;
  });
  for (auto& [stream, message] : open_) end(message);
  open_.clear();
  end(bare_);
}

/// A progress bar writes itself again and again into one line, each time after a carriage return.
void TextLogReader::takeLine(std::string_view line) {
  ++lineCount_;
  const int64_t foreignBefore = foreignCount_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (true) {
    const size_t end = line.find('\r');
    takePiece(line.substr(0, end));
    if (end == std::string_view::npos) break;
    line.remove_prefix(end + 1);
  }
  foreignCount_ = std::min(foreignCount_, foreignBefore + 1);
}

void TextLogReader::takePiece(std::string_view piece) {
  std::string plain;
  if (piece.find('\x1b') != std::string_view::npos) {
    plain = withoutColours(piece);
    piece = plain;
  }
  const std::optional<LogPrefix> prefix = findPrefix(piece);
  if (prefix)
    takePrefixed(*prefix);
  else
    takeBare(piece);
}

void TextLogReader::takePrefixed(const LogPrefix& prefix) {
  end(bare_);
  TextLogMessage next;
  next.rank = prefix.rank;
  next.process = prefix.process;
  next.time = prefix.time;
  next.level = prefix.level;
  next.site = prefix.site;
  std::string_view text = prefix.text;
  if (prefix.time.year != 0) readLogger(next);
  takeTags(text, next);
  if (open_.size() >= kMostStreams) {
    for (auto& [stream, message] : open_) end(message);
    open_.clear();
  }
  TextLogMessage& open = open_[{next.rank, next.process}];
  const bool isSame = open.level != 0 && identity(open) == identity(next) &&
                      open.text.size() + text.size() < kLongestMessage &&
                      !beginsMessage(text, open.text);
  if (isSame) {
    (open.text += '\n') += text;
    return;
  }
  end(open);
  latest_ = next;
  open = std::move(next);
  open.text = text;
}

void TextLogReader::takeBare(std::string_view line) {
  const bool begins = isBareBeginning(line);
  if (begins) {
    end(bare_);
    bare_ = latest_;
    bare_.id = {};
    bare_.artifact.clear();
    bare_.site.clear();
    bare_.level = 0;
    bare_.text = line;
  } else if (!bare_.text.empty() && continuesBare(line, bare_.text) &&
             bare_.text.size() < kLongestMessage) {
    (bare_.text += '\n') += line;
  } else {
    end(bare_);
    if (!line.empty()) ++foreignCount_;
  }
}

void TextLogReader::end(TextLogMessage& message) {
  if (message.level != 0 || !message.text.empty()) {
    ++messageCount_;
    visit_(message);
  }
  message = {};
}

bool looksLikeCompileLog(std::string_view text) {
  bool found = false;
  TextLogReader reader([&](const TextLogMessage& message) {
    found |= message.level == 0 || containsAny(message.site, {"torch", "compiler/journal"});
  });
  reader.feed(text);
  reader.finish();
  return found;
}

}  // namespace jitscope::analyzer
