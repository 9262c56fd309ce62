#include "trace/format/block_decoder.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "trace/format/planes.h"

namespace jitscope::trace::format {
namespace {

constexpr size_t kRowsPerStep = 1024;

uint64_t undoZigzag(uint64_t value) { return value >> 1 ^ (0 - (value & 1)); }

bool isWithinLimits(const ChunkHeader& chunk) {
  const uint64_t chunkBytes = uint64_t{chunk.payloadBytes} + sizeof(ChunkHeader);
  return chunk.rows <= kMaxRows && chunk.payloadBytes <= kMaxPayloadBytes &&
         chunk.rows <= kMaxRowsPerByte * chunkBytes &&
         chunk.blockCount * sizeof(BlockHeader) <= chunk.payloadBytes;
}

bool isPossible(const BlockHeader& block, uint32_t rows) {
  if (block.storedBytes < block.planes * sizeof(uint32_t)) return false;
  switch (block.encoding) {
    case Encoding::kConstant:
      return block.planes == 0 && block.rawBytes == 0;
    case Encoding::kOffset:
    case Encoding::kDelta:
    case Encoding::kDifference:
      return block.planes <= 8 && block.rawBytes == uint64_t{rows} * block.planes;
    case Encoding::kBytes:
      return block.planes == 1 && block.rawBytes <= kMaxRawBytes &&
             block.rawBytes <= uint64_t{block.storedBytes} * kMaxTextPerByte;
  }
  return false;  // a new encoding takes a new major version
}

/// A difference adds to a column that stands on its own, so that decoding goes one step deep.
bool hasItsReference(const std::vector<Block>& blocks, const BlockHeader& header) {
  if (header.encoding != Encoding::kDifference) return true;
  const Block* reference = findBlock(blocks, header.reference);
  return reference != nullptr && reference->header.encoding < Encoding::kDifference;
}

bool areColumnsDistinct(const std::vector<Block>& blocks) {
  return std::adjacent_find(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) {
           return a.header.column >= b.header.column;
         }) == blocks.end();
}

}  // namespace

const Block* findBlock(const std::vector<Block>& blocks, uint16_t column) {
  const auto place = std::lower_bound(
      blocks.begin(), blocks.end(), column,
      [](const Block& block, uint16_t wanted) { return block.header.column < wanted; });
  return place != blocks.end() && place->header.column == column ? &*place : nullptr;
}

std::optional<std::vector<Block>> splitBlocks(const ChunkHeader& chunk,
                                              std::span<const uint8_t> payload) {
  if (!isWithinLimits(chunk) || payload.size() != chunk.payloadBytes) return std::nullopt;
  std::vector<Block> blocks(chunk.blockCount);
  size_t next = chunk.blockCount * sizeof(BlockHeader);
  for (size_t i = 0; i < blocks.size(); ++i) {
    BlockHeader& header = blocks[i].header;
    std::memcpy(&header, payload.data() + i * sizeof header, sizeof header);
    if (header.storedBytes > payload.size() - next || !isPossible(header, chunk.rows)) {
      return std::nullopt;
    }
    blocks[i].body = payload.subspan(next, header.storedBytes);
    next += header.storedBytes;
  }
  if (!areColumnsDistinct(blocks)) return std::nullopt;
  for (const Block& block : blocks) {
    if (!hasItsReference(blocks, block.header)) return std::nullopt;
  }
  return blocks;
}

BlockDecoder::BlockDecoder() : context_(nullptr, ZSTD_freeDCtx) {}

BlockDecoder::~BlockDecoder() = default;

bool BlockDecoder::check(const Block& block, uint32_t rows) {
  if (block.header.encoding == Encoding::kBytes) return openPlanes(block, block.header.rawBytes);
  return openPlanes(block, rows);
}

/// Points planes_ at the bytes of each plane, unpacked where needed.
bool BlockDecoder::openPlanes(const Block& block, size_t planeBytes) {
  const size_t count = block.header.planes;
  planes_.assign(count, nullptr);
  // Grows only: planes are overwritten, and clearing them first would cost as much as unpacking.
  if (unpacked_.size() < count * planeBytes) unpacked_.resize(count * planeBytes);
  std::span<const uint8_t> rest = block.body.subspan(count * sizeof(uint32_t));
  for (size_t k = 0; k < count; ++k) {
    uint32_t word = 0;
    std::memcpy(&word, block.body.data() + k * sizeof word, sizeof word);
    const size_t stored = word & ((1u << kPlaneLengthBits) - 1);
    if (stored > rest.size()) return false;
    uint8_t* const target = unpacked_.data() + k * planeBytes;
    planes_[k] = target;
    switch (static_cast<PlaneCodec>(word >> kPlaneLengthBits)) {
      case PlaneCodec::kStored:
        if (stored != planeBytes) return false;
        planes_[k] = rest.data();
        break;
      case PlaneCodec::kZstd:
        if (!unpackPlane(rest.first(stored), {target, planeBytes})) return false;
        break;
      case PlaneCodec::kRepeated:
        if (stored != 1) return false;
        std::memset(target, rest[0], planeBytes);
        break;
      default:
        return false;
    }
    rest = rest.subspan(stored);
  }
  return true;
}

bool BlockDecoder::unpackPlane(std::span<const uint8_t> packed, std::span<uint8_t> plane) {
  // Made when first needed: it is larger than all else that reading a small file takes.
  if (context_ == nullptr) context_.reset(ZSTD_createDCtx());
  if (context_ == nullptr) throw std::bad_alloc();
  return ZSTD_decompressDCtx(context_.get(), plane.data(), plane.size(), packed.data(),
                             packed.size()) == plane.size();
}

bool BlockDecoder::decodeCells(const Block& block, std::span<const int64_t> reference,
                               std::span<int64_t> cells) {
  const auto base = static_cast<uint64_t>(block.header.base);
  if (block.header.encoding == Encoding::kConstant) {
    std::fill(cells.begin(), cells.end(), block.header.base);
    return true;
  }
  if (block.header.encoding >= Encoding::kBytes || !openPlanes(block, cells.size())) return false;
  if (block.header.encoding == Encoding::kDifference && reference.size() != cells.size()) {
    return false;
  }
  // In steps that stay in the nearest cache between the two passes.
  uint64_t last = base;
  for (size_t start = 0; start < cells.size(); start += kRowsPerStep) {
    const size_t rows = std::min(kRowsPerStep, cells.size() - start);
    auto* const values = reinterpret_cast<uint64_t*>(cells.data() + start);
    joinPlanes(planes_.data(), rows, planes_.size(), values);
    for (const uint8_t*& plane : planes_) plane += rows;
    if (block.header.encoding == Encoding::kOffset) {
      for (size_t i = 0; i < rows; ++i) values[i] += base;
    } else if (block.header.encoding == Encoding::kDelta) {
      for (size_t i = 0; i < rows; ++i) values[i] = last += undoZigzag(values[i]);
    } else {
      const int64_t* const added = reference.data() + start;
      for (size_t i = 0; i < rows; ++i) values[i] += base + static_cast<uint64_t>(added[i]);
    }
  }
  return true;
}

std::optional<std::string> BlockDecoder::decodeBytes(const Block& block) {
  const size_t size = block.header.rawBytes;
  if (block.header.encoding != Encoding::kBytes || !openPlanes(block, size)) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(planes_[0]), size);
}

}  // namespace jitscope::trace::format
