#include "trace/read/chunk_content.h"

#include <algorithm>
#include <string_view>

namespace jitscope::trace::read {
namespace {

using format::Block;
using format::BlockDecoder;
using format::ChunkHeader;

constexpr size_t kMaxColumns = 1024;

std::optional<ColumnType> columnTypeOf(std::string_view word) {
  if (word == "integer") return ColumnType::kInteger;
  if (word == "real") return ColumnType::kReal;
  if (word == "text") return ColumnType::kText;
  return std::nullopt;
}

/// Takes the part of `text` up to the next line feed off its front.
std::string_view takeLine(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::optional<std::vector<int64_t>> readColumn(const std::vector<Block>& blocks, uint16_t column,
                                               uint32_t rows, BlockDecoder& decoder) {
  const Block* block = format::findBlock(blocks, column);
  if (block == nullptr || block->header.encoding == format::Encoding::kDifference) {
    return std::nullopt;
  }
  std::vector<int64_t> cells(rows);
  if (!decoder.decodeCells(*block, {}, cells)) return std::nullopt;
  return cells;
}

std::optional<std::string> readBytes(const std::vector<Block>& blocks, uint16_t column,
                                     BlockDecoder& decoder) {
  const Block* block = format::findBlock(blocks, column);
  return block == nullptr ? std::nullopt : decoder.decodeBytes(*block);
}

}  // namespace

std::optional<TableDescription> readDescription(const ChunkHeader& chunk,
                                                std::span<const uint8_t> payload,
                                                BlockDecoder& decoder) {
  const auto blocks = format::splitBlocks(chunk, payload);
  if (!blocks) return std::nullopt;
  const std::optional<std::string> text = readBytes(*blocks, 0, decoder);
  if (!text) return std::nullopt;
  std::string_view rest = *text;
  TableDescription table{static_cast<TableId>(chunk.subject), std::string(takeLine(rest)), {}};
  while (!rest.empty()) {
    const std::string_view line = takeLine(rest);
    const size_t space = std::min(line.find(' '), line.size());
    const std::optional<ColumnType> type = columnTypeOf(line.substr(0, space));
    if (!type || space + 1 >= line.size() || table.columns.size() == kMaxColumns) {
      return std::nullopt;
    }
    table.columns.push_back({std::string(line.substr(space + 1)), *type, 0});
  }
  if (table.name.empty() || table.columns.size() != chunk.rows) return std::nullopt;
  return table;
}

std::optional<DictionaryContent> readDictionary(const ChunkHeader& chunk,
                                                std::span<const uint8_t> payload,
                                                BlockDecoder& decoder) {
  const auto blocks = format::splitBlocks(chunk, payload);
  if (!blocks) return std::nullopt;
  const auto lengthColumn = static_cast<uint16_t>(format::DictionaryColumn::kLength);
  const auto textColumn = static_cast<uint16_t>(format::DictionaryColumn::kText);
  auto lengths = readColumn(*blocks, lengthColumn, chunk.rows, decoder);
  if (!lengths) return std::nullopt;
  auto bytes = readBytes(*blocks, textColumn, decoder);
  if (!bytes) return std::nullopt;
  return DictionaryContent{std::move(*lengths), std::move(*bytes)};
}

std::optional<std::vector<IndexEntry>> readIndex(const ChunkHeader& chunk,
                                                 std::span<const uint8_t> payload,
                                                 BlockDecoder& decoder) {
  const auto blocks = format::splitBlocks(chunk, payload);
  if (!blocks) return std::nullopt;
  const auto column = [&](format::IndexColumn which) {
    return readColumn(*blocks, static_cast<uint16_t>(which), chunk.rows, decoder);
  };
  const auto offsets = column(format::IndexColumn::kOffset);
  const auto kinds = column(format::IndexColumn::kKind);
  const auto subjects = column(format::IndexColumn::kSubject);
  const auto rows = column(format::IndexColumn::kRows);
  if (!offsets || !kinds || !subjects || !rows) return std::nullopt;
  std::vector<IndexEntry> entries(chunk.rows);
  for (size_t i = 0; i < entries.size(); ++i) {
    if ((*rows)[i] < 0 || (*rows)[i] > format::kMaxRows) return std::nullopt;
    entries[i] = {static_cast<uint64_t>((*offsets)[i]), static_cast<format::ChunkKind>((*kinds)[i]),
                  static_cast<uint32_t>((*subjects)[i]), (*rows)[i]};
  }
  return entries;
}

bool areRowsSound(const ChunkHeader& chunk, std::span<const uint8_t> payload,
                  BlockDecoder& decoder) {
  const auto blocks = format::splitBlocks(chunk, payload);
  return blocks && std::all_of(blocks->begin(), blocks->end(), [&](const Block& block) {
           return block.header.encoding != format::Encoding::kBytes &&
                  decoder.check(block, chunk.rows);
         });
}

}  // namespace jitscope::trace::read
