#include "tests/support/trace_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "trace/writer.h"

namespace jitscope::tests {
namespace {

struct Word {
  std::string_view column, word;
  int64_t cell;
};

constexpr std::array kWords{
    Word{"outcome", "hit", 0},   Word{"outcome", "compiled", 1},   Word{"outcome", "limit", 2},
    Word{"outcome", "eager", 3}, Word{"outcome", "failed", 4},     Word{"origin", "unknown", 0},
    Word{"origin", "eager", 1},  Word{"origin", "compiled", 2},    Word{"origin", "replay", 3},
    Word{"user_code", "ran", 0}, Word{"user_code", "replayed", 1}, Word{"user_code", "skipped", 2},
    Word{"kind", "dropped", 0},  Word{"kind", "out_of_range", 1},  Word{"kind", "unknown", 2},
    Word{"kind", "overhead", 3},
};

struct Unit {
  std::string_view name;
  int64_t factor;
};

constexpr std::array kUnits{Unit{"", 1}, Unit{"ns", 1}, Unit{"us", 1'000}, Unit{"ms", 1'000'000},
                            Unit{"s", 1'000'000'000}};

/// A cell as it stands in the line.
struct Assignment {
  std::string column;
  std::string value;
  bool isText = false;
};

struct Line {
  std::string table;
  std::vector<Assignment> cells;
};

/// Cuts a line into its table and assignments.
class LineParser {
 public:
  explicit LineParser(std::string_view rest) : rest_(rest) {}

  Line parse() {
    Line line;
    line.table = takeUntil(" ");
    while (skipBlanks(), !rest_.empty()) {
      Assignment cell;
      cell.column = takeUntil("=");
      if (rest_.empty()) throw std::invalid_argument(fmt::format("'{}' has no value", cell.column));
      rest_.remove_prefix(1);
      cell.isText = rest_.starts_with('"');
      cell.value = cell.isText ? takeText() : takeUntil(" ");
      line.cells.push_back(std::move(cell));
    }
    return line;
  }

 private:
  void skipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }

  std::string takeUntil(std::string_view end) {
    const size_t size = std::min(rest_.find_first_of(end), rest_.size());
    std::string word(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return word;
  }

  std::string takeText() {
    std::string text;
    for (size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return text;
      }
      const bool isEscape = rest_[i] == '\\' && i + 1 < rest_.size();
      if (isEscape) ++i;
      text += isEscape && rest_[i] == 'n' ? '\n' : rest_[i];
    }
    throw std::invalid_argument("text without end");
  }

  std::string_view rest_;
};

int64_t numberCell(std::string_view column, std::string_view value) {
  for (const Word& word : kWords) {
    if (word.column == column && word.word == value) return word.cell;
  }
  int64_t number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  const std::string_view unit = value.substr(static_cast<size_t>(end - value.data()));
  for (const Unit& known : kUnits) {
    if (error == std::errc() && known.name == unit) return number * known.factor;
  }
  throw std::invalid_argument(fmt::format("'{}' is no value of {}", value, column));
}

/// Sets one column of `row`; whether it has such a column.
template <class Row>
bool setColumn(trace::EventSink& sink, Row& row, const Assignment& cell) {
  bool isKnown = false;
  Row::columns([&](const char* name, auto member) {
    if (cell.column != name) return;
    isKnown = true;
    using Field = std::remove_cvref_t<decltype(row.*member)>;
    if constexpr (std::is_same_v<Field, trace::StringId>) {
      row.*member = sink.intern(cell.value);
    } else if constexpr (std::is_same_v<Field, double>) {
      row.*member = std::stod(cell.value);
    } else {
      row.*member = static_cast<Field>(numberCell(cell.column, cell.value));
    }
  });
  return isKnown;
}

template <class Row>
void writeRow(trace::EventSink& sink, const Line& line) {
  Row row;
  for (const Assignment& cell : line.cells) {
    bool isKnown = false;
    if (const size_t dots = cell.value.find("..");
        cell.column == "at" && dots != std::string::npos) {
      isKnown = setColumn(sink, row, {"start_ns", cell.value.substr(0, dots)}) &&
                setColumn(sink, row, {"end_ns", cell.value.substr(dots + 2)});
    } else {
      isKnown = setColumn(sink, row, cell);
    }
    if (!isKnown) {
      throw std::invalid_argument(fmt::format("{} has no column {}", Row::kName, cell.column));
    }
  }
  trace::emit(sink, row);
}

void writeLine(trace::EventSink& sink, std::string_view text) {
  const Line line = LineParser(text).parse();
  bool isKnown = false;
  trace::forEachTable([&]<class Row>() {
    if (line.table != Row::kName) return;
    isKnown = true;
    writeRow<Row>(sink, line);
  });
  if (!isKnown) throw std::invalid_argument(fmt::format("no table {}", line.table));
}

}  // namespace

void writeRows(trace::EventSink& sink, std::string_view text) {
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty() || line.starts_with('#')) continue;
    try {
      writeLine(sink, line);
    } catch (const std::invalid_argument& error) {
      throw std::invalid_argument(fmt::format("line {}: {}", number, error.what()));
    }
  }
}

void writeTrace(const std::filesystem::path& path, std::string_view text) {
  trace::Result<std::unique_ptr<trace::FileWriter>> writer = trace::FileWriter::create(path);
  if (!writer) throw std::invalid_argument(writer.error().text);
  writeRows(**writer, text);
  (*writer)->close();
}

}  // namespace jitscope::tests
