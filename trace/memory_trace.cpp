#include "trace/memory_trace.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "trace/format/xxhash64.h"
#include "trace/read/cell_array.h"
#include "trace/read/trace_content.h"
#include "trace/tables.h"

namespace jitscope::trace {
namespace {

/// Half of all columns never change their value: they take no memory until they do.
class GrowingColumn {
 public:
  void add(int64_t cell, size_t rowsBefore) {
    if (isConstant_) {
      if (rowsBefore == 0) constant_ = cell;
      if (cell == constant_) return;
      spread(rowsBefore);
    }
    cells_.push_back(cell);
  }

  /// Goes back to as many rows as a table has, after memory ran out in the midst of a row.
  void cutTo(size_t rows) {
    if (!isConstant_ && cells_.size() > rows) cells_.resize(rows);
  }

  std::span<int64_t> spread(size_t rows) {
    if (isConstant_) cells_.assign(rows, constant_);
    isConstant_ = false;
    return cells_;
  }

  bool isConstant() const { return isConstant_; }
  int64_t constant() const { return constant_; }
  std::span<const int64_t> cells() const { return cells_; }
  void shrink() { cells_.shrink_to_fit(); }

 private:
  bool isConstant_ = true;
  int64_t constant_ = 0;
  std::vector<int64_t> cells_;
};

struct GrowingTable {
  std::vector<GrowingColumn> columns;
  size_t rows = 0;
};

/// Each distinct text once; ids count up from 1, 0 is the empty text.
class Texts {
 public:
  StringId idOf(std::string_view text) {
    if (text.empty()) return {};
    if (2 * (entries_.size() + 1) > slots_.size()) grow();
    const uint64_t hash = format::xxhash64(text.data(), text.size());
    size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      const Entry& entry = entries_[slots_[slot] - 1];
      if (entry.hash == hash && entry.text == text) return StringId{slots_[slot]};
    }
    entries_.push_back({hash, keep(text)});
    slots_[slot] = static_cast<uint32_t>(entries_.size());
    return StringId{slots_[slot]};
  }

  std::string_view text(StringId id) const {
    const auto at = static_cast<size_t>(id);
    return at == 0 || at > entries_.size() ? std::string_view() : entries_[at - 1].text;
  }

  size_t count() const { return entries_.size() + 1; }

 private:
  struct Entry {
    uint64_t hash;
    std::string_view text;
  };
  static constexpr size_t kBlockBytes = 256 << 10;

  std::string_view keep(std::string_view text) {
    if (text.size() > left_) {
      const size_t bytes = std::max(kBlockBytes, text.size());
      blocks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
      next_ = blocks_.back().get();
      left_ = bytes;
    }
    char* const kept = next_;
    std::memcpy(kept, text.data(), text.size());
    next_ += text.size();
    left_ -= text.size();
    return {kept, text.size()};
  }

  void grow() {
    std::vector<uint32_t> slots(std::max<size_t>(1024, 2 * slots_.size()));
    for (size_t i = 0; i < entries_.size(); ++i) {
      size_t slot = entries_[i].hash & (slots.size() - 1);
      while (slots[slot] != 0) slot = (slot + 1) & (slots.size() - 1);
      slots[slot] = static_cast<uint32_t>(i + 1);
    }
    slots_ = std::move(slots);
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  size_t left_ = 0;
  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  ///< positions in `entries_` + 1 by hash; 0 is free
};

}  // namespace

class MemoryTrace::Content final : public read::TraceContent {
 public:
  Content() {
    const std::vector<TableDescription>& known = knownTables();
    tables_.resize(static_cast<size_t>(known.back().id) + 1);
    for (const TableDescription& table : known) {
      tables_[static_cast<size_t>(table.id)].columns.resize(table.columns.size());
    }
  }

  const std::filesystem::path& path() const override { return path_; }

  size_t rowCount(TableId table) const override {
    const auto at = static_cast<size_t>(table);
    return at < tables_.size() ? tables_[at].rows : 0;
  }

  std::span<const int64_t> column(TableId table, size_t index) const override {
    const auto at = static_cast<size_t>(table);
    if (at >= tables_.size() || tables_[at].rows == 0 || index >= tables_[at].columns.size()) {
      return {};
    }
    const GrowingColumn& column = tables_[at].columns[index];
    if (column.isConstant()) return constants_.of(column.constant(), tables_[at].rows);
    return column.cells();
  }

  const std::vector<TableDescription>& tables() const override { return described_; }
  std::string_view text(StringId id) const override { return texts.text(id); }
  size_t stringCount() const override { return texts.count(); }
  const std::vector<ReadLoss>& losses() const override { return losses_; }
  bool isComplete() const override { return isComplete_; }

  GrowingTable* tableOf(TableId table) {
    const auto at = static_cast<size_t>(table);
    return at < tables_.size() && !tables_[at].columns.empty() ? &tables_[at] : nullptr;
  }

  void finish(std::filesystem::path path, std::vector<ReadLoss> losses, bool isComplete) {
    path_ = std::move(path);
    losses_ = std::move(losses);
    isComplete_ = isComplete;
    if (lostRows > 0) {
      losses_.push_back({LossKind::kDropped, "import", "not enough memory", lostRows});
    }
    for (const TableDescription& table : knownTables()) {
      GrowingTable& rows = tables_[static_cast<size_t>(table.id)];
      for (GrowingColumn& column : rows.columns) column.shrink();
      if (rows.rows > 0) described_.push_back(table);
    }
  }

  Texts texts;
  int64_t lostRows = 0;

 private:
  std::filesystem::path path_;
  std::vector<GrowingTable> tables_;  ///< by TableId
  std::vector<TableDescription> described_;
  std::vector<ReadLoss> losses_;
  bool isComplete_ = true;
  mutable read::ConstantCells constants_;
};

MemoryTrace::MemoryTrace() : content_(std::make_shared<Content>()) {}
MemoryTrace::~MemoryTrace() = default;
MemoryTrace::MemoryTrace(MemoryTrace&&) noexcept = default;
MemoryTrace& MemoryTrace::operator=(MemoryTrace&&) noexcept = default;

StringId MemoryTrace::intern(std::string_view text) noexcept {
  try {
    return content_->texts.idOf(text);
  } catch (const std::bad_alloc&) {
    ++content_->lostRows;
    return {};
  }
}

void MemoryTrace::write(TableId id, std::span<const int64_t> cells) noexcept {
  GrowingTable* const table = content_->tableOf(id);
  if (table == nullptr) {
    ++content_->lostRows;
    return;
  }
  try {
    for (size_t i = 0; i < table->columns.size(); ++i) {
      table->columns[i].add(i < cells.size() ? cells[i] : 0, table->rows);
    }
    ++table->rows;
  } catch (const std::bad_alloc&) {
    for (GrowingColumn& column : table->columns) column.cutTo(table->rows);
    ++content_->lostRows;
  }
}

size_t MemoryTrace::rowCount(TableId table) const { return content_->rowCount(table); }

std::span<int64_t> MemoryTrace::cells(TableId id, size_t column) {
  GrowingTable* const table = content_->tableOf(id);
  if (table == nullptr || column >= table->columns.size()) return {};
  return table->columns[column].spread(table->rows);
}

void MemoryTrace::shiftTimes(int64_t offsetNs) {
  for (const TableDescription& table : knownTables()) {
    if (rowCount(table.id) == 0) continue;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      if (!isTimeColumn(table.columns[i].name)) continue;
      // Unsigned: hostile times may wrap around, and are found to be out of range later.
      for (int64_t& cell : cells(table.id, i)) {
        cell = static_cast<int64_t>(static_cast<uint64_t>(cell) + static_cast<uint64_t>(offsetNs));
      }
    }
  }
}

TraceFile MemoryTrace::finish(std::filesystem::path path, std::vector<ReadLoss> losses,
                              bool isComplete) && {
  content_->finish(std::move(path), std::move(losses), isComplete);
  return TraceFile(std::exchange(content_, nullptr));
}

}  // namespace jitscope::trace
