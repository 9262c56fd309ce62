#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "trace/format/block_encoder.h"
#include "trace/format/layout.h"
#include "trace/write/row_gatherer.h"
#include "trace/write/text_piece.h"

namespace jitscope::trace::write {

/// A chunk, in a batch (offset from the batch's start) or in the file.
struct ChunkExtent {
  format::ChunkKind kind{};
  uint32_t subject = 0;
  uint32_t rows = 0;
  int64_t offset = 0;
  int64_t bytes = 0;
  int64_t minTimeNs = 0, maxTimeNs = 0;
};

/// Chunks that go to the file with one write. For one thread.
class Batch {
 public:
  void clear();

  void addDescription(const TableDescription& table);
  void addTexts(const TextPiece& piece);
  void addRows(const RowGatherer& rows);
  /// The index of `chunks`, whose offsets are those in the file.
  void addIndex(std::span<const ChunkExtent> chunks);
  /// The end of a closed file, after the index that stands at `indexOffset`.
  void addTrailer(int64_t indexOffset);

  std::span<const uint8_t> bytes() const { return bytes_; }
  const std::vector<ChunkExtent>& chunks() const { return chunks_; }

 private:
  void begin(format::ChunkKind kind, uint32_t subject, size_t rows, size_t blocks);
  void addCells(const format::ColumnToEncode& column);
  void addBytes(uint16_t column, std::string_view bytes);
  void place(const format::BlockHeader& block);
  void finish();

  format::BlockEncoder encoder_;
  std::vector<uint8_t> bytes_;
  std::vector<ChunkExtent> chunks_;
  format::ChunkHeader header_;  ///< of the chunk that is being added
  size_t start_ = 0;            ///< where it begins
  size_t placedBlocks_ = 0;
};

}  // namespace jitscope::trace::write
