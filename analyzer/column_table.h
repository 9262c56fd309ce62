#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "trace/column_index.h"
#include "trace/reader.h"

namespace jitscope::analyzer {

/// From the text ids of one trace file to those of the run.
using TextMap = std::vector<trace::StringId>;

/// `id` of a file as the run's id; the empty text for an id that the file does not define.
inline trace::StringId toRunText(const TextMap& map, trace::StringId id) {
  const auto at = static_cast<size_t>(id);
  return at < map.size() ? map[at] : trace::StringId{};
}

/// A big table of one process, left in the columns of its trace file: nothing is copied. Rows are
/// in file order. Reading is safe from any thread and cheap to copy; it keeps the file's memory
/// alive.
template <class Row>
class ColumnTable {
 public:
  ColumnTable() = default;
  ColumnTable(trace::TraceFile file, std::shared_ptr<const TextMap> texts)
      : keepAlive_(std::make_shared<trace::TraceFile>(std::move(file))), texts_(std::move(texts)) {
    for (size_t i = 0; i < columns_.size(); ++i) columns_[i] = keepAlive_->column(Row::kTable, i);
  }

  /// How many rows there are.
  size_t size() const { return columns_[0].size(); }

  /// One field of one row, e.g. `ops.get<&trace::OpRow::startNs>(row)`. Text is the run's id.
  template <auto Member>
  auto get(size_t row) const {
    using Field = std::remove_cvref_t<decltype(std::declval<Row>().*Member)>;
    const auto field = trace::fromCell<Field>(columns_[trace::columnIndex<Member, Row>()][row]);
    if constexpr (std::is_same_v<Field, trace::StringId>)
      return toRunText(*texts_, field);
    else
      return field;
  }

  /// The cells of one column as they stand in the file. Text in it is the file's id, not the run's.
  template <auto Member>
  std::span<const int64_t> cells() const {
    return columns_[trace::columnIndex<Member, Row>()];
  }

  /// A whole row. Text is the run's id.
  Row row(size_t at) const {
    Row result;
    size_t next = 0;
    Row::columns([&](const char*, auto member) {
      using Field = std::remove_cvref_t<decltype(result.*member)>;
      const auto field = trace::fromCell<Field>(columns_[next++][at]);
      if constexpr (std::is_same_v<Field, trace::StringId>)
        result.*member = toRunText(*texts_, field);
      else
        result.*member = field;
    });
    return result;
  }

 private:
  std::array<std::span<const int64_t>, trace::columnCount<Row>()> columns_{};
  std::shared_ptr<const trace::TraceFile> keepAlive_;
  std::shared_ptr<const TextMap> texts_;
};

}  // namespace jitscope::analyzer
