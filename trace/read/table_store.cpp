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

/// Unpacks one column of one chunk; false when the chunk does not have it.
bool unpackPart(const std::vector<Block>& blocks, uint16_t column, format::BlockDecoder& decoder,
                std::span<int64_t> cells) {
  const Block* block = format::findBlock(blocks, column);
  if (block == nullptr) return false;
  std::vector<int64_t> reference;
  if (block->header.encoding == format::Encoding::kDifference) {
    reference.resize(cells.size());
    const Block* referenceBlock = format::findBlock(blocks, block->header.reference);
    if (!decoder.decodeCells(*referenceBlock, {}, reference)) return false;
  }
  return decoder.decodeCells(*block, reference, cells);
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

std::span<const int64_t> TableStore::column(const FileBytes& bytes, size_t index) const {
  if (index >= description_.columns.size() || rowCount_ == 0) return {};
  Column& column = columns_[index];
  std::call_once(column.unpacked,
                 [&] { unpack(bytes, column, description_.columns[index].defaultCell); });
  return {column.cells.get(), rowCount_};
}

void TableStore::unpack(const FileBytes& bytes, Column& column, int64_t defaultCell) const {
  auto cells = std::make_unique_for_overwrite<int64_t[]>(rowCount_);
  format::BlockDecoder decoder;
  std::vector<uint8_t> scratch;
  for (const Part& part : parts_) {
    const std::span<int64_t> target(cells.get() + part.firstRow, part.place.header.rows);
    bool isUnpacked = false;
    if (column.fileColumn >= 0) {
      const auto payload = bytes.read(part.place.offset + sizeof(format::ChunkHeader),
                                      part.place.header.payloadBytes, scratch);
      const auto blocks = format::splitBlocks(part.place.header, payload);
      const auto id = static_cast<uint16_t>(column.fileColumn);
      isUnpacked = blocks && unpackPart(*blocks, id, decoder, target);
    }
    if (!isUnpacked) std::fill(target.begin(), target.end(), defaultCell);
  }
  column.cells = std::move(cells);
}

}  // namespace jitscope::trace::read
