#include "tests/analyzer/fuzz_logs.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

#include "analyzer/import/text_log_reader.h"
#include "analyzer/import/text_log_story.h"
#include "analyzer/import/torch_trace_counts.h"
#include "analyzer/import/torch_trace_story.h"

namespace jitscope::analyzer {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

/// Keeps the texts, so that ids of texts that nobody gave are found.
class CheckingSink final : public trace::EventSink {
 public:
  trace::StringId intern(std::string_view text) noexcept override {
    const auto next = static_cast<trace::StringId>(ids_.size() + 1);
    return text.empty() ? trace::StringId{}
                        : ids_.try_emplace(std::string(text), next).first->second;
  }

  void write(trace::TableId table, std::span<const int64_t> cells) noexcept override {
    trace::forEachTable([&]<class Row>() {
      if (Row::kTable != table) return;
      size_t next = 0;
      Row::columns([&](const char*, auto member) {
        using Field = std::remove_cvref_t<decltype(Row().*member)>;
        if constexpr (std::is_same_v<Field, trace::StringId>)
          require(cells[next] >= 0 && static_cast<size_t>(cells[next]) <= ids_.size());
        ++next;
      });
      require(next == cells.size());
    });
    ++rows_;
  }

  size_t rows() const { return rows_; }

 private:
  std::unordered_map<std::string, trace::StringId> ids_;
  size_t rows_ = 0;
};

template <class Reader>
void feed(Reader& reader, std::string_view bytes) {
  if (bytes.empty()) return reader.finish();
  const size_t size = 1 + static_cast<unsigned char>(bytes.front()) * size_t{17};
  for (size_t at = 0; at < bytes.size(); at += size) reader.feed(bytes.substr(at, size));
  reader.finish();
}

}  // namespace

void readAsTorchTrace(std::string_view bytes) {
  CheckingSink sink;
  TorchTraceStory story(sink);
  TorchTraceCounts counts;
  TorchTraceReader reader([&](const TorchTraceRecord& record) {
    counts.add(record);
    story.add(record);
  });
  feed(reader, bytes);
  story.finish(1);
  require(sink.rows() > 0);
  const TorchTraceDamage& damage = reader.damage();
  require(damage.md5BadTolerant >= 0 && damage.md5BadAsIs >= 0);
  for (const auto& [name, amount] : counts.list(damage)) require(!name.empty() && amount >= 0);
}

void readAsTextLog(std::string_view bytes) {
  CheckingSink sink;
  TextLogStory story([&]() -> trace::EventSink& { return sink; });
  TextLogReader reader([&](const TextLogMessage& message) { story.add(message); });
  feed(reader, bytes);
  story.finish(1);
  const auto lines = static_cast<size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
  require(static_cast<size_t>(reader.lineCount()) - lines <= 1);
  require(reader.foreignLineCount() <= reader.lineCount() + 1);
  for (const auto& [name, amount] : story.counts()) require(!name.empty() && amount >= 0);
}

void readAnyLog(std::string_view bytes) {
  readAsTorchTrace(bytes);
  readAsTextLog(bytes);
}

}  // namespace jitscope::analyzer
