#include "analyzer/import/chrome_trace.h"

#include <array>

#include "analyzer/import/chrome_event.h"
#include "analyzer/import/json_cursor.h"
#include "analyzer/import/json_stream.h"
#include "analyzer/import/kineto_rows.h"
#include "analyzer/import/trace_metadata.h"

namespace jitscope::analyzer {
namespace {

using Step = JsonStream::Step;

constexpr std::string_view kEvents = "traceEvents";

/// Reads one file from its root down.
class ChromeTraceReader {
 public:
  ChromeTraceReader(InputBytes& bytes, Import& import)
      : bytes_(bytes),
        import_(import),
        stream_(bytes),
        trace_(import.addProcess()),
        rows_(trace_, import) {}

  void read() {
    readRoot();
    // Profilers that append to a file leave one object behind the other.
    while (end_ == End::kClosed && stream_.peek() == '{') {
      import_.lose(InputLossKind::kRepaired, "JSON", "a further object behind the first");
      readRoot();
    }
    tellEnd();
    tellRepairs();
    rows_.finish();
    trace_.shiftTimes(metadata_.baseNs());
    metadata_.write(rows_.processId(), rows_.programName(), trace_, import_);
  }

 private:
  enum class End {
    kMissing,  ///< the file ended before its root
    kClosed,
    kBroken,  ///< told already
  };

  void readRoot() {
    const char root = stream_.peek();
    stream_.take();
    end_ = End::kMissing;
    if (root != '[') return readMembers();
    if (readEvents()) end_ = End::kClosed;
  }

  /// The members of the root object.
  void readMembers() {
    while (true) {
      std::string_view key;
      bool isEnd = false;
      const Step step =
          stream_.step([&](JsonCursor& cursor) { return cursor.readKey(key, isEnd) || isEnd; });
      if (step != Step::kTaken || isEnd) {
        if (step == Step::kFaulty) lose(InputLossKind::kSkipped, "no member of an object", 1);
        if (step == Step::kFaulty) end_ = End::kBroken;
        if (isEnd) end_ = End::kClosed;
        return;
      }
      const std::string name(key);  // the window may move
      if (name == kEvents && stream_.peek() == '[') {
        stream_.take();
        if (!readEvents()) return;
      } else if (!readMember(name)) {
        return;
      }
    }
  }

  bool readMember(const std::string& key) {
    std::string_view value;
    const Step step = stream_.step([&](JsonCursor& cursor) { return cursor.readRaw(value); });
    if (step == Step::kTaken) metadata_.take(key, value);
    if (step == Step::kTooLong) stream_.skipLongValue();
    if (step == Step::kFaulty) {
      lose(InputLossKind::kSkipped, "no value", 1);
      end_ = End::kBroken;
    }
    return step == Step::kTaken || step == Step::kTooLong;
  }

  /// The elements of the list, to its end. False when the file ends before.
  bool readEvents() {
    bool hasComma = false;
    while (true) {
      const char next = stream_.peek();
      if (next == ',') {
        if (hasComma) ++stream_.repairs().commas;
        hasComma = true;
        stream_.take();
        continue;
      }
      if (next == ']') {
        if (hasComma) ++stream_.repairs().commas;
        stream_.take();
        return true;
      }
      hasComma = false;
      if (!readElement(next)) return false;
    }
  }

  bool readElement(char first) {
    if (first != '{') return skipElement();
    const Step step = stream_.step([&](JsonCursor& cursor) { return readEvent(cursor, event_); });
    switch (step) {
      case Step::kTaken:
        rows_.add(event_);
        return true;
      case Step::kTooLong:
        lose(InputLossKind::kSkipped, "an event of more than 67 MB", 1);
        rows_.addOther();
        stream_.skipLongValue();
        return true;
      case Step::kFaulty:
        lose(InputLossKind::kSkipped, "an event that cannot be read", 1);
        return stream_.findNextElement();
      case Step::kEnd:
        isInEvent_ = stream_.peek() != '\0';
        return false;
    }
    return false;
  }

  bool skipElement() {
    const Step step = stream_.step([](JsonCursor& cursor) { return cursor.skipValue(); });
    if (step == Step::kTaken) {
      lose(InputLossKind::kSkipped, "no event", 1);
      rows_.addOther();
      return true;
    }
    if (step == Step::kEnd) {
      isInEvent_ = stream_.peek() != '\0';
      return false;
    }
    if (step == Step::kFaulty) lose(InputLossKind::kSkipped, "no value", 1);
    return stream_.findNextElement();
  }

  void lose(InputLossKind kind, std::string_view text, int64_t amount) {
    import_.lose(kind, kEvents, text, amount);
  }

  /// Says where and why the file did not end with its root.
  void tellEnd() {
    if (end_ == End::kBroken) return;
    const bool hasMore = end_ == End::kClosed && stream_.peek() != '\0';
    const std::string place = "byte " + std::to_string(bytes_.position());
    if (hasMore) {
      import_.lose(InputLossKind::kForeign, "JSON", "something behind its end");
    } else if (end_ == End::kClosed) {
      // All is there, though the check of the packed bytes is not.
      if (!bytes_.fault().empty()) import_.lose(InputLossKind::kRepaired, place, bytes_.fault());
    } else if (!bytes_.fault().empty()) {
      import_.lose(InputLossKind::kCut, place, bytes_.fault());
    } else if (isInEvent_) {
      import_.lose(InputLossKind::kCut, place, "ends in the midst of an event");
    } else {
      import_.lose(InputLossKind::kRepaired, place, "closing brackets are missing");
    }
  }

  void tellRepairs() {
    const JsonRepairs& repairs = stream_.repairs();
    const auto tell = [&](std::string_view text, int64_t amount) {
      import_.lose(InputLossKind::kRepaired, "JSON", text, amount);
    };
    tell("quotes without a backslash", repairs.quotes);
    tell("backslashes that begin no escape", repairs.escapes);
    tell("control characters in strings", repairs.controls);
    tell("bare words such as NaN", repairs.words);
    tell("commas too many", repairs.commas);
  }

  InputBytes& bytes_;
  Import& import_;
  JsonStream stream_;
  trace::MemoryTrace& trace_;
  KinetoRows rows_;
  TraceMetadata metadata_;
  ChromeEvent event_;
  End end_ = End::kMissing;
  bool isInEvent_ = false;
};

}  // namespace

bool isChromeTrace(std::string_view head) {
  const std::string_view json = jsonOf(head);
  const auto has = [&](std::string_view word) { return json.find(word) != std::string_view::npos; };
  if (json.starts_with('[')) return behindBlanks(json.substr(1)).starts_with('{') && has("\"ph\"");
  if (!json.starts_with('{')) return false;
  // Profilers may write more in front of the events than a head holds.
  constexpr std::array<std::string_view, 4> kMembers{
      "\"traceEvents\"", "\"schemaVersion\"", "\"deviceProperties\"", "\"baseTimeNanoseconds\""};
  for (const std::string_view member : kMembers) {
    if (has(member)) return true;
  }
  return false;
}

trace::Result<void> importChromeTrace(InputBytes& bytes, Import& result) {
  ChromeTraceReader(bytes, result).read();
  return {};
}

}  // namespace jitscope::analyzer
