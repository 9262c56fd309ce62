#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "trace/format/layout.h"
#include "trace/tables.h"

struct ZSTD_CCtx_s;

namespace jitscope::trace::format {

/// One column on its way into a chunk.
struct ColumnToEncode {
  uint16_t column = 0;
  ColumnType type = ColumnType::kInteger;
  std::span<const int64_t> cells;
  std::span<const int64_t>
      before;  ///< the column before it, as a candidate for kDifference, or empty
};

/// Packs columns and texts into blocks. Holds the memory it works in; for one thread at a time.
class BlockEncoder {
 public:
  BlockEncoder();
  ~BlockEncoder();
  BlockEncoder(const BlockEncoder&) = delete;
  BlockEncoder& operator=(const BlockEncoder&) = delete;

  /// Appends the body of a block to `out` and gives its header. Chooses the encoding by a sample.
  BlockHeader encodeCells(const ColumnToEncode& source, std::vector<uint8_t>& out);

  /// The same for bytes that are not cells.
  BlockHeader encodeBytes(uint16_t column, std::string_view bytes, std::vector<uint8_t>& out);

 private:
  uint32_t appendPlane(const uint8_t* plane, size_t size, size_t ratioLimit,
                       std::vector<uint8_t>& out);

  std::unique_ptr<ZSTD_CCtx_s, size_t (*)(ZSTD_CCtx_s*)> context_;
  std::vector<uint64_t> values_;
  std::vector<uint8_t> planes_;
};

}  // namespace jitscope::trace::format
