#include "trace/read/table_store.h"

#include <algorithm>

#include "trace/format/block_decoder.h"

namespace jitscope::trace::read {
namespace {

using format::Block;

/// Where `wanted` stands in the file's table; -1 when absent or of another type, which makes it
/// another column.
int findColumn(const TableDescription& table, const ColumnDescription& wanted) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnDescription& column = table.columns[i];
    if (column.name == wanted.name && column.type == wanted.type) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

TableStore::TableStore(TableDescription described) {
  const TableDescription* known = knownTable(described.id);
  std::vector<int> fileColumns;
  if (known != nullptr && known->name == described.name) {
    description_ = *known;
    knownColumns_ = known->columns.size();
    for (const ColumnDescription& column : known->columns) {
      fileColumns.push_back(findColumn(described, column));
    }
  } else {
    description_ = {described.id, described.name, {}};
  }
  for (size_t i = 0; i < described.columns.size(); ++i) {
    const int position = static_cast<int>(i);
    if (std::count(fileColumns.begin(), fileColumns.end(), position) != 0) continue;
    description_.columns.push_back(described.columns[i]);
    fileColumns.push_back(position);
  }
  columns_ = std::make_unique<Column[]>(fileColumns.size());
  for (size_t i = 0; i < fileColumns.size(); ++i) columns_[i].fileColumn = fileColumns[i];
}

void TableStore::add(const ChunkPlace& place) {
  parts_.push_back({place, rowCount_});
  rowCount_ += place.header.rows;
}

std::span<const int64_t> TableStore::column(const FileBytes& bytes, ConstantCells& constants,
                                            size_t index) const {
  if (index >= description_.columns.size() || rowCount_ == 0) return {};
  Column& column = columns_[index];
  std::call_once(column.unpacked, [&] {
    unpack(bytes, constants, column, description_.columns[index].defaultCell);
  });
  return column.cells;
}

/// Unpacks one column chunk by chunk.
class TableStore::PartReader {
 public:
  PartReader(const FileBytes& bytes, uint16_t column) : bytes_(bytes), column_(column) {}

  /// Goes to a chunk and gives its block of the column; null when it has none.
  const Block* open(const Part& part) {
    const auto payload = bytes_.read(part.place.offset + sizeof(format::ChunkHeader),
                                     part.place.header.payloadBytes, scratch_);
    blocks_ = format::splitBlocks(part.place.header, payload);
    return blocks_ ? format::findBlock(*blocks_, column_) : nullptr;
  }

  bool unpack(const Block& block, std::span<int64_t> cells) {
    if (block.header.encoding != format::Encoding::kDifference) {
      return decoder_.decodeCells(block, {}, cells);
    }
    reference_.resize(cells.size());
    const Block* const reference = format::findBlock(*blocks_, block.header.reference);
    return decoder_.decodeCells(*reference, {}, reference_) &&
           decoder_.decodeCells(block, reference_, cells);
  }

 private:
  const FileBytes& bytes_;
  const uint16_t column_;
  std::vector<uint8_t> scratch_;
  std::optional<std::vector<Block>> blocks_;
  std::vector<int64_t> reference_;
  format::BlockDecoder decoder_;
};

/// The one value that all cells of a column have, if there is one.
std::optional<int64_t> TableStore::constantOf(PartReader& reader, const Column& column,
                                              int64_t defaultCell) const {
  if (column.fileColumn < 0) return defaultCell;
  std::optional<int64_t> value;
  for (const Part& part : parts_) {
    const Block* const block = reader.open(part);
    if (block != nullptr && block->header.encoding != format::Encoding::kConstant) return {};
    const int64_t here = block != nullptr ? block->header.base : defaultCell;
    if (value.value_or(here) != here) return {};
    value = here;
  }
  return value;
}

void TableStore::unpack(const FileBytes& bytes, ConstantCells& constants, Column& column,
                        int64_t defaultCell) const {
  PartReader reader(bytes, static_cast<uint16_t>(std::max(column.fileColumn, 0)));
  if (const std::optional<int64_t> value = constantOf(reader, column, defaultCell)) {
    column.cells = constants.of(*value, rowCount_);
    return;
  }
  CellArray array(rowCount_);
  for (const Part& part : parts_) {
    const auto target = array.prepared(part.firstRow, part.place.header.rows);
    const Block* const block = reader.open(part);
    if (block == nullptr || !reader.unpack(*block, target)) {
      std::fill(target.begin(), target.end(), defaultCell);
    }
  }
  column.own = std::move(array);
  column.cells = column.own.cells();
}

}  // namespace jitscope::trace::read
