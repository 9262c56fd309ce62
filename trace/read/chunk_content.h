#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/format/block_decoder.h"
#include "trace/format/layout.h"
#include "trace/tables.h"

/// \file
/// What the chunks other than rows say. Each function gives nothing when the chunk is damaged.
namespace jitscope::trace::read {

struct DictionaryContent {
  std::vector<int64_t> lengths;
  std::string bytes;
};

/// What an index says of one chunk.
struct IndexEntry {
  uint64_t offset = 0;
  format::ChunkKind kind{};
  uint32_t subject = 0;
  int64_t rows = 0;
};

std::optional<TableDescription> readDescription(const format::ChunkHeader& chunk,
                                                std::span<const uint8_t> payload,
                                                format::BlockDecoder& decoder);

std::optional<DictionaryContent> readDictionary(const format::ChunkHeader& chunk,
                                                std::span<const uint8_t> payload,
                                                format::BlockDecoder& decoder);

std::optional<std::vector<IndexEntry>> readIndex(const format::ChunkHeader& chunk,
                                                 std::span<const uint8_t> payload,
                                                 format::BlockDecoder& decoder);

/// Whether all blocks of a rows chunk unpack to cells.
bool areRowsSound(const format::ChunkHeader& chunk, std::span<const uint8_t> payload,
                  format::BlockDecoder& decoder);

}  // namespace jitscope::trace::read
