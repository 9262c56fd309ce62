#include "analyzer/answer_forms.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "analyzer/export/json_texts.h"
#include "analyzer/reports/shortened.h"
#include "analyzer/reports/table.h"
#include "analyzer/tables/csv.h"
#include "analyzer/units.h"

namespace jitscope::analyzer {
namespace {

/// Counts rows and asks for one more than are shown, to know whether there are more.
class CountedWriter : public AnswerWriter {
 public:
  CountedWriter(size_t mostRows, WriteText write) : mostRows_(mostRows), write_(std::move(write)) {}

  bool row(std::span<const QueryCell> cells) final {
    hasMore_ = mostRows_ > 0 && count_ == mostRows_;
    if (hasMore_) return false;
    ++count_;
    return take(cells);
  }

 protected:
  virtual bool take(std::span<const QueryCell> cells) = 0;

  bool write(std::string_view text) { return write_(text); }
  bool isFirstRow() const { return count_ == 1; }
  bool hasMore() const { return hasMore_; }
  size_t count() const { return count_; }

 private:
  size_t mostRows_, count_ = 0;
  bool hasMore_ = false;
  WriteText write_;
};

class TableWriter : public CountedWriter {
 public:
  using CountedWriter::CountedWriter;

  void columns(const std::vector<std::string>& names) override {
    for (const std::string& name : names) table_.columns.push_back({shortened(name, kLongestCell)});
    kinds_.resize(names.size());
  }

  void finish() override {
    for (size_t i = 0; i < kinds_.size(); ++i)
      table_.columns[i].isNumber = kinds_[i].hasNumber && !kinds_[i].hasText;
    if (hasMore()) {
      table_.note = fmt::format("only the first {} rows, --limit 0 shows all",
                                countText(static_cast<int64_t>(count())));
    }
    write(table_.rows.empty() ? "no rows\n" : textTable(table_));
  }

 protected:
  bool take(std::span<const QueryCell> cells) override {
    auto& row = table_.rows.emplace_back();
    for (size_t i = 0; i < cells.size(); ++i) {
      const auto* const text = std::get_if<std::string_view>(&cells[i]);
      kinds_[i].hasText |= text != nullptr;
      kinds_[i].hasNumber |= text == nullptr && !std::holds_alternative<std::monostate>(cells[i]);
      row.push_back(text != nullptr ? shortened(*text, kLongestCell) : cellText(cells[i]));
    }
    return true;
  }

 private:
  /// What the cells of a column were so far.
  struct Kinds {
    bool hasNumber = false, hasText = false;
  };

  Table table_;
  std::vector<Kinds> kinds_;
};

class CsvWriter : public CountedWriter {
 public:
  using CountedWriter::CountedWriter;

  void columns(const std::vector<std::string>& names) override {
    const std::vector<QueryCell> cells(names.begin(), names.end());
    writeLine(cells);
  }

  void finish() override {}

 protected:
  bool take(std::span<const QueryCell> cells) override { return writeLine(cells); }

 private:
  bool writeLine(std::span<const QueryCell> cells) {
    line_.clear();
    for (const QueryCell& cell : cells) {
      if (&cell != cells.data()) line_ += ',';
      if (const auto* const text = std::get_if<std::string_view>(&cell))
        appendCsvCell(line_, *text);
      else
        line_ += cellText(cell);
    }
    line_ += '\n';
    return write(line_);
  }

  std::string line_;
};

/// The names with a number behind those that stand there already, for the members of an object.
std::vector<std::string> distinct(const std::vector<std::string>& names) {
  const std::set<std::string> given(names.begin(), names.end());
  std::set<std::string> taken;
  std::vector<std::string> result;
  for (const std::string& name : names) {
    std::string free = name;
    for (int number = 2; taken.contains(free) || (free != name && given.contains(free)); ++number)
      free = fmt::format("{}_{}", name, number);
    taken.insert(free);
    result.push_back(std::move(free));
  }
  return result;
}

/// A list of objects, one a line.
class JsonWriter : public CountedWriter {
 public:
  using CountedWriter::CountedWriter;

  void columns(const std::vector<std::string>& names) override {
    for (const std::string& name : distinct(names)) members_.push_back(jsonString(name) + ": ");
    write("[");
  }

  void finish() override { write(count() == 0 ? "]\n" : "\n]\n"); }

 protected:
  bool take(std::span<const QueryCell> cells) override {
    line_ = isFirstRow() ? "\n{" : ",\n{";
    for (size_t i = 0; i < cells.size(); ++i)
      line_.append(i == 0 ? "" : ", ").append(members_[i]).append(valueOf(cells[i]));
    line_ += '}';
    return write(line_);
  }

 private:
  static std::string valueOf(const QueryCell& cell) {
    if (const auto* const text = std::get_if<std::string_view>(&cell)) return jsonString(*text);
    const auto* const real = std::get_if<double>(&cell);
    const bool isNothing =
        std::holds_alternative<std::monostate>(cell) || (real != nullptr && !std::isfinite(*real));
    return isNothing ? "null" : cellText(cell);
  }

  std::vector<std::string> members_;  ///< each with its quotes and colon
  std::string line_;
};

template <class Writer>
std::unique_ptr<AnswerWriter> make(size_t mostRows, WriteText write) {
  return std::make_unique<Writer>(mostRows, std::move(write));
}

struct Form {
  std::string_view name;
  size_t usualRows;
  std::unique_ptr<AnswerWriter> (*make)(size_t mostRows, WriteText write);
};

constexpr std::array kForms{Form{"table", 200, make<TableWriter>}, Form{"csv", 0, make<CsvWriter>},
                            Form{"json", 0, make<JsonWriter>}};

const Form& formOf(std::string_view name) {
  const auto found = std::find_if(kForms.begin(), kForms.end(),
                                  [&](const Form& each) { return each.name == name; });
  return found == kForms.end() ? kForms.front() : *found;
}

}  // namespace

std::string cellText(const QueryCell& cell) {
  struct Visitor {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(int64_t value) const { return fmt::format("{}", value); }
    std::string operator()(double value) const { return fmt::format("{}", value); }
    std::string operator()(std::string_view value) const { return std::string(value); }
  };
  return std::visit(Visitor{}, cell);
}

std::vector<std::string_view> answerFormNames() {
  std::vector<std::string_view> names;
  names.reserve(kForms.size());
  for (const Form& form : kForms) names.push_back(form.name);
  return names;
}

size_t usualRows(std::string_view form) { return formOf(form).usualRows; }

std::unique_ptr<AnswerWriter> answerWriter(std::string_view form, size_t mostRows,
                                           WriteText write) {
  return formOf(form).make(mostRows, std::move(write));
}

}  // namespace jitscope::analyzer
