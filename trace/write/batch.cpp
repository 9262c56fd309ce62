#include "trace/write/batch.h"

#include <algorithm>
#include <cstring>

#include "trace/format/xxhash64.h"

namespace jitscope::trace::write {
namespace {

using format::BlockHeader;
using format::ChunkHeader;
using format::ChunkKind;

const char* typeWord(ColumnType type) {
  switch (type) {
    case ColumnType::kReal:
      return "real";
    case ColumnType::kText:
      return "text";
    case ColumnType::kInteger:
      break;
  }
  return "integer";
}

/// Widens the chunk's time range by the columns that hold times of the row itself.
void noteTimes(const RowGatherer& rows, ChunkHeader& header) {
  bool isFirst = true;
  for (size_t i = 0; i < rows.table().columns.size(); ++i) {
    const std::string& name = rows.table().columns[i].name;
    if (name != "start_ns" && name != "end_ns" && name != "time_ns") continue;
    const std::span<const int64_t> cells = rows.column(i);
    const auto [smallest, largest] = std::minmax_element(cells.begin(), cells.end());
    header.minTimeNs = isFirst ? *smallest : std::min(header.minTimeNs, *smallest);
    header.maxTimeNs = isFirst ? *largest : std::max(header.maxTimeNs, *largest);
    isFirst = false;
  }
}

}  // namespace

void Batch::clear() {
  bytes_.clear();
  chunks_.clear();
}

void Batch::addDescription(const TableDescription& table) {
  std::string text = table.name + "\n";
  for (const ColumnDescription& column : table.columns) {
    text.append(typeWord(column.type)).append(" ").append(column.name).append("\n");
  }
  begin(ChunkKind::kDescription, static_cast<uint32_t>(table.id), table.columns.size(), 1);
  addBytes(0, text);
  finish();
}

void Batch::addTexts(const TextPiece& piece) {
  begin(ChunkKind::kDictionary, piece.first, piece.lengths.size(), 2);
  addCells({static_cast<uint16_t>(format::DictionaryColumn::kLength),
            ColumnType::kInteger,
            piece.lengths,
            {}});
  addBytes(static_cast<uint16_t>(format::DictionaryColumn::kText), piece.bytes);
  finish();
}

void Batch::addRows(const RowGatherer& rows) {
  const TableDescription& table = rows.table();
  begin(ChunkKind::kRows, static_cast<uint32_t>(table.id), rows.rows(), table.columns.size());
  noteTimes(rows, header_);
  bool mayRefer = false;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const std::span<const int64_t> before =
        mayRefer ? rows.column(i - 1) : std::span<const int64_t>();
    const size_t placed = start_ + sizeof(ChunkHeader) + placedBlocks_ * sizeof(BlockHeader);
    addCells({static_cast<uint16_t>(i), table.columns[i].type, rows.column(i), before});
    BlockHeader block;
    std::memcpy(&block, bytes_.data() + placed, sizeof block);
    // What is a difference itself cannot be referred to.
    mayRefer = block.encoding < format::Encoding::kDifference;
  }
  finish();
}

void Batch::addIndex(std::span<const ChunkExtent> chunks) {
  begin(ChunkKind::kIndex, 0, chunks.size(), format::kIndexColumnCount);
  const auto add = [&](format::IndexColumn column, auto cellOf) {
    std::vector<int64_t> cells(chunks.size());
    std::transform(chunks.begin(), chunks.end(), cells.begin(), cellOf);
    addCells({static_cast<uint16_t>(column), ColumnType::kInteger, cells, {}});
  };
  using Chunk = const ChunkExtent&;
  add(format::IndexColumn::kOffset, [](Chunk chunk) { return chunk.offset; });
  add(format::IndexColumn::kKind, [](Chunk chunk) { return static_cast<int64_t>(chunk.kind); });
  add(format::IndexColumn::kSubject, [](Chunk chunk) { return int64_t{chunk.subject}; });
  add(format::IndexColumn::kRows, [](Chunk chunk) { return int64_t{chunk.rows}; });
  add(format::IndexColumn::kBytes, [](Chunk chunk) { return chunk.bytes; });
  add(format::IndexColumn::kMinTime, [](Chunk chunk) { return chunk.minTimeNs; });
  add(format::IndexColumn::kMaxTime, [](Chunk chunk) { return chunk.maxTimeNs; });
  finish();
}

void Batch::addTrailer(int64_t indexOffset) {
  format::FileTrailer trailer;
  trailer.indexOffset = static_cast<uint64_t>(indexOffset);
  const auto* first = reinterpret_cast<const uint8_t*>(&trailer);
  bytes_.insert(bytes_.end(), first, first + sizeof trailer);
}

void Batch::begin(ChunkKind kind, uint32_t subject, size_t rows, size_t blocks) {
  header_ = ChunkHeader{};
  header_.kind = kind;
  header_.subject = subject;
  header_.rows = static_cast<uint32_t>(rows);
  header_.blockCount = static_cast<uint16_t>(blocks);
  start_ = bytes_.size();
  placedBlocks_ = 0;
  bytes_.resize(start_ + sizeof(ChunkHeader) + blocks * sizeof(BlockHeader));
}

void Batch::addCells(const format::ColumnToEncode& column) {
  place(encoder_.encodeCells(column, bytes_));
}

void Batch::addBytes(uint16_t column, std::string_view bytes) {
  place(encoder_.encodeBytes(column, bytes, bytes_));
}

void Batch::place(const BlockHeader& block) {
  const size_t target = start_ + sizeof(ChunkHeader) + placedBlocks_++ * sizeof block;
  std::memcpy(bytes_.data() + target, &block, sizeof block);
  header_.rawBytes += block.rawBytes;
}

void Batch::finish() {
  // A chunk is never shorter than its rows allow a reader to expect (kMaxRowsPerByte).
  const size_t shortest = (header_.rows + format::kMaxRowsPerByte - 1) / format::kMaxRowsPerByte;
  if (bytes_.size() - start_ < shortest) bytes_.resize(start_ + shortest);

  const size_t payloadStart = start_ + sizeof(ChunkHeader);
  header_.payloadBytes = static_cast<uint32_t>(bytes_.size() - payloadStart);
  header_.payloadChecksum = format::xxhash64(bytes_.data() + payloadStart, header_.payloadBytes);
  header_.headerChecksum = format::xxhash64(&header_, offsetof(ChunkHeader, headerChecksum));
  std::memcpy(bytes_.data() + start_, &header_, sizeof header_);
  chunks_.push_back({header_.kind, header_.subject, header_.rows, static_cast<int64_t>(start_),
                     static_cast<int64_t>(bytes_.size() - start_), header_.minTimeNs,
                     header_.maxTimeNs});
}

}  // namespace jitscope::trace::write
