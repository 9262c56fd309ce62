#include "analyzer/import/text_log_import.h"

#include <algorithm>
#include <vector>

#include "analyzer/import/line_splitter.h"
#include "analyzer/import/log_bytes.h"
#include "analyzer/import/text_log_reader.h"
#include "analyzer/import/text_log_story.h"

namespace jitscope::analyzer {
namespace {

bool isTextByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 || c == '\n' || c == '\r' || c == '\t' || c == '\x1b' || c == '\b' ||
         c == '\f';
}

/// Whether it is a tar archive, in which logs may lie.
bool isArchive(std::string_view head) {
  constexpr size_t kMagicAt = 257;
  return head.size() > kMagicAt && head.substr(kMagicAt).starts_with("ustar");
}

/// Whether the text is of a format with brackets: JSON, XML. A log can begin with `[rank0]` or
/// `[2024-02-05`.
bool isBracketed(std::string_view head) {
  const size_t first = head.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  head.remove_prefix(first);
  if (head.front() == '{' || head.front() == '<') return true;
  if (head.front() != '[') return false;
  const size_t next = head.find_first_not_of(" \t\r\n", 1);
  return next == std::string_view::npos || head[next] == '{' || head[next] == '[' ||
         head[next] == '"' || head[next] == ']';
}

}  // namespace

bool looksLikeTextLog(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  // A program may print any byte between the compiler's lines.
  if (looksLikeCompileLog(head)) return !isArchive(head);
  if (head.empty() || !std::all_of(head.begin(), head.end(), isTextByte)) return false;
  // Of a short file all has been seen; in a long one the compiler can speak late.
  constexpr size_t kWholeHead = 64 << 10;
  const bool isAll = head.size() < kWholeHead;
  return !isAll && !isBracketed(head);
}

trace::Result<void> importTextLog(InputBytes& bytes, Import& result) {
  std::vector<trace::MemoryTrace*> traces;
  TextLogStory story([&]() -> trace::EventSink& {
    traces.push_back(&result.addProcess());
    return *traces.back();
  });
  TextLogReader reader([&](const TextLogMessage& message) { story.add(message); });
  readLog(bytes, result, [&](std::string_view block) { reader.feed(block); });
  reader.finish();
  if (reader.messageCount() == 0) {
    result.refuse();
    return trace::Error{"is text without a line of a compile log"};
  }
  const int64_t offsetNs = story.finish(fileTimeNs(bytes.path()));
  for (trace::MemoryTrace* each : traces) each->shiftTimes(offsetNs);
  result.count("lines", reader.lineCount());
  for (const auto& [name, amount] : story.counts()) result.count(name, amount);
  if (reader.foreignLineCount() > 0) {
    result.lose(InputLossKind::kForeign, "lines", "not of the compiler", reader.foreignLineCount());
  }
  result.lose(InputLossKind::kSkipped, "lines", kTooLongLine, reader.cutLineCount());
  result.lose(InputLossKind::kSkipped, "lines", kNotJoined, reader.notJoinedCount());
  return {};
}

}  // namespace jitscope::analyzer
