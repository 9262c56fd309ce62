#include "analyzer/import/torch_trace_reader.h"

#include <algorithm>
#include <utility>

#include "analyzer/import/line_front.h"

namespace jitscope::analyzer {
namespace {

/// More than any compiler writes into one record, less than memory.
constexpr size_t kLargestPayload = size_t{256} << 20;

/// What the tag of a checksum says it counts for, beside the line of its header.
enum ChecksumOf : int64_t { kAsIs = 1, kTolerant = 2 };

/// Takes the keys that every record may have; what is left is the event.
bool readEnvelope(JsonView header, TorchTraceRecord& record, std::string& md5) {
  return header.forEachMember([&](std::string_view key, JsonView value) {
    if (key == "rank")
      record.rank = value.integer(-1);
    else if (key == "compiled_autograd_id")
      record.id.autograd = value.integer(-1);
    else if (key == "frame_id")
      record.id.frame = value.integer(-1);
    else if (key == "frame_compile_id")
      record.id.attempt = value.integer(-1);
    else if (key == "attempt")
      record.restart = value.integer();
    else if (key == "has_payload")
      record.hasPayload = true, md5 = value.plain();
    else if (key == "subgraph_name")
      record.hasSubgraph = true;
    else if (key != "stack" && record.event.empty())
      record.event = key, record.value = value;
    return true;
  });
}

/// The header of a record starts in column one; a rank in front is the work of a launcher.
bool mayBeHeader(std::string_view line) {
  return line.starts_with('V') || line.starts_with("[rank");
}

/// A header behind something else: the front of a collector, or output of the program that did not
/// end its line.
std::optional<LogPrefix> findHeader(std::string_view line, int64_t rankOfFront) {
  if (line.find("] {\"") == std::string_view::npos) return std::nullopt;
  std::optional<LogPrefix> prefix = findPrefix(line, rankOfFront);
  const bool isRecord =
      prefix && prefix->level == 'V' && prefix->time.year == 0 && prefix->text.starts_with("{\"");
  return isRecord ? prefix : std::nullopt;
}

}  // namespace

TorchTraceReader::TorchTraceReader(Visit visit)
    : visit_(std::move(visit)), cut_(kLargestPayload), checker_([this](int64_t tag, bool isRight) {
        if (isRight) return;
        if ((tag & kAsIs) != 0) ++damage_.md5BadAsIs;
        if ((tag & kTolerant) == 0) return;
        ++damage_.md5BadTolerant;
        const int64_t line = tag >> 2;
        lastBadPayload_ = std::max(lastBadPayload_, line);
        if (damage_.firstBadPayload == 0 || line < damage_.firstBadPayload)
          damage_.firstBadPayload = line;
      }) {}

void TorchTraceReader::feed(std::string_view block) {
  lines_.feed(block, [this](std::string_view line) { takeLine(line); });
}

void TorchTraceReader::finish() {
  // A record is written with its line end; without one its end was lost.
  bool lacksEnd = false;
  lines_.finish([&](std::string_view line) {
    lacksEnd = true;
    takeLine(line);
  });
  cut_.finish([this](std::string_view line, int64_t rank) {
    if (!takeBehindFront(takeLineFront(line), line, rank, false)) ++damage_.otherLines;
  });
  endRecord();
  checker_.finish();
  damage_.cutLines = lines_.cutCount();
  damage_.notJoinedLines = cut_.notJoinedCount();
  damage_.isCut = lacksEnd && lastBadPayload_ > 0 && lastBadPayload_ == headerLine_;
}

void TorchTraceReader::takeLine(std::string_view line) {
  ++lineNumber_;
  const bool hadReturn = line.ends_with('\r');
  if (hadReturn) line.remove_suffix(1);
  if (line.empty()) {
    ++open_.emptyLines;
    return;
  }
  if (line.front() == '\t' && open_.isOpen && open_.hasPayload)
    return takePayloadLine(line.substr(1), hadReturn);
  if (mayBeHeader(line)) {
    const std::optional<LogPrefix> prefix = parsePrefix(line);
    if (prefix && prefix->text.starts_with('{')) return takeHeader(*prefix);
  }
  if (!takeFronted(line, hadReturn)) ++damage_.otherLines;
}

/// Takes a header or a payload's line that does not start in column one.
bool TorchTraceReader::takeFronted(std::string_view line, bool hadReturn) {
  const LineFront front = takeLineFront(line);
  const bool wasPart = cut_.take(front, [&](std::string_view whole, int64_t rank) {
    if (!takeBehindFront(takeLineFront(whole), whole, rank, hadReturn)) ++damage_.otherLines;
  });
  return wasPart || takeBehindFront(front, line, -1, hadReturn);
}

/// `line` has `front`; `rank` is the one of a launcher's front that was taken off before.
bool TorchTraceReader::takeBehindFront(const LineFront& front, std::string_view line, int64_t rank,
                                       bool hadReturn) {
  const std::string_view text = front.text;
  const bool isPayload =
      open_.isOpen && open_.hasPayload && open_.hasFront && text.starts_with('\t');
  if (isPayload) {
    takePayloadLine(text.substr(1), hadReturn);
    return true;
  }
  const std::optional<LogPrefix> header = findHeader(line, front.rank < 0 ? rank : front.rank);
  if (!header) return false;
  takeHeader(*header);
  open_.hasFront = true;
  return true;
}

void TorchTraceReader::takePayloadLine(std::string_view line, bool hadReturn) {
  if (open_.payload.size() + line.size() >= kLargestPayload) {
    if (open_.payloadLines > 0) ++damage_.cutPayloads;
    open_.hasPayload = false;
    return;
  }
  const bool needsRepair = hadReturn || (open_.emptyLines > 0 && open_.payloadLines > 0);
  if (needsRepair && !open_.isRepaired) {
    open_.isRepaired = true;
    open_.payloadAsIs = open_.payload;
  }
  const auto append = [&](std::string& text) {
    if (open_.payloadLines > 0) text += '\n';
    text += line;
  };
  if (open_.isRepaired) {
    open_.payloadAsIs.append(static_cast<size_t>(open_.emptyLines), '\n');
    append(open_.payloadAsIs);
    if (hadReturn) open_.payloadAsIs += '\r';
  }
  append(open_.payload);
  ++open_.payloadLines;
  open_.emptyLines = 0;
}

void TorchTraceReader::takeHeader(const LogPrefix& prefix) {
  endRecord();
  TorchTraceRecord record;
  std::string md5;
  if (!readEnvelope(JsonView(prefix.text), record, md5)) {
    ++damage_.brokenHeaders;
    return;
  }
  headerLine_ = lineNumber_;
  // The line goes away before the payload has come. The copy keeps its memory from record to
  // record.
  const char* const begin = prefix.site.data();
  const auto size = static_cast<size_t>(prefix.text.data() + prefix.text.size() - begin);
  open_.line.assign(begin, size);
  const auto moved = [&](std::string_view view) {
    if (view.empty()) return view;
    return std::string_view(open_.line)
        .substr(static_cast<size_t>(view.data() - begin), view.size());
  };
  record.prefix = prefix;
  record.prefix.site = moved(prefix.site);
  record.prefix.text = moved(prefix.text);
  record.event = moved(record.event);
  record.value = JsonView(moved(record.value.raw()));
  if (record.rank < 0) record.rank = prefix.rank;
  record_ = record;
  open_.md5 = md5;
  open_.isOpen = true;
  open_.hasPayload = record.hasPayload;
  open_.isRepaired = open_.hasFront = false;
  open_.payloadLines = open_.emptyLines = 0;
  open_.payload.clear();
  open_.payloadAsIs.clear();
}

void TorchTraceReader::endRecord() {
  if (!open_.isOpen) return;
  open_.isOpen = false;
  record_.payload = open_.payload;
  if (record_.hasPayload) checkPayload();
  visit_(record_);
}

void TorchTraceReader::checkPayload() {
  if (open_.isRepaired) ++damage_.repairedPayloads;
  const int64_t tag = headerLine_ << 2;
  Md5 expected{};
  if (!parseMd5(open_.md5, expected)) {
    // Not a checksum: nothing can be equal to it.
    checker_.add(tag | kAsIs | kTolerant, open_.payload, {});
  } else if (open_.isRepaired) {
    checker_.add(tag | kAsIs, open_.payloadAsIs, expected);
    checker_.add(tag | kTolerant, open_.payload, expected);
  } else {
    checker_.add(tag | kAsIs | kTolerant, open_.payload, expected);
  }
}

bool looksLikeTorchTrace(std::string_view text) {
  bool found = false;
  LineSplitter lines;
  const auto look = [&](std::string_view line) {
    if (found) return;
    std::optional<LogPrefix> prefix = mayBeHeader(line) ? parsePrefix(line) : std::nullopt;
    if (!prefix) prefix = findHeader(line, -1);
    found = prefix && prefix->text.starts_with("{\"");
  };
  lines.feed(text, look);
  lines.finish(look);
  return found;
}

}  // namespace jitscope::analyzer
