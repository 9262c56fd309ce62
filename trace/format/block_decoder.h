#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/format/layout.h"

struct ZSTD_DCtx_s;

namespace jitscope::trace::format {

/// One block inside of a chunk's payload.
struct Block {
  BlockHeader header;
  std::span<const uint8_t> body;
};

/// The blocks of a payload; nothing when their headers contradict each other, the chunk or the
/// limits of the format. What comes back is safe to hand to a BlockDecoder.
std::optional<std::vector<Block>> splitBlocks(const ChunkHeader& chunk,
                                              std::span<const uint8_t> payload);

/// The block of `column`; null when the chunk has none.
const Block* findBlock(const std::vector<Block>& blocks, uint16_t column);

/// Unpacks blocks. Holds the memory it works in; for one thread at a time.
class BlockDecoder {
 public:
  BlockDecoder();
  ~BlockDecoder();
  BlockDecoder(const BlockDecoder&) = delete;
  BlockDecoder& operator=(const BlockDecoder&) = delete;

  /// Whether the planes of `block` unpack to what its header says. Then decodeCells cannot fail.
  bool check(const Block& block, uint32_t rows);

  /// Fills `cells`, one per row. `reference` are the cells of the block's reference column, used by
  /// kDifference only. False when the block is damaged; the cells are then undefined.
  bool decodeCells(const Block& block, std::span<const int64_t> reference,
                   std::span<int64_t> cells);

  /// The bytes of a kBytes block.
  std::optional<std::string> decodeBytes(const Block& block);

 private:
  bool openPlanes(const Block& block, size_t planeBytes);
  bool unpackPlane(std::span<const uint8_t> packed, std::span<uint8_t> plane);

  std::unique_ptr<ZSTD_DCtx_s, size_t (*)(ZSTD_DCtx_s*)> context_;
  std::vector<uint8_t> unpacked_;
  std::vector<const uint8_t*> planes_;
};

}  // namespace jitscope::trace::format
