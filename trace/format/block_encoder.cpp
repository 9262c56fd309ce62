#include "trace/format/block_encoder.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <new>

#include "trace/format/planes.h"

namespace jitscope::trace::format {
namespace {

constexpr int kCompressionLevel = 1;
constexpr size_t kSamples = 128;
constexpr size_t kSmallestCompressed = 64;  // below it a zstd frame's own header eats the gain

uint64_t difference(int64_t left, int64_t right) {
  return static_cast<uint64_t>(left) - static_cast<uint64_t>(right);
}

uint64_t zigzag(uint64_t value) {
  return value << 1 ^ static_cast<uint64_t>(static_cast<int64_t>(value) >> 63);
}

/// Bits that the sampled values would need under each encoding.
struct SampledBits {
  int offset = 0, delta = 0, difference = 0;
};

SampledBits sampleBits(const ColumnToEncode& source, int64_t smallest) {
  SampledBits bits;
  const std::span<const int64_t> cells = source.cells;
  const size_t step = std::max<size_t>(1, cells.size() / kSamples);
  for (size_t i = 1; i < cells.size(); i += step) {
    bits.offset += static_cast<int>(std::bit_width(difference(cells[i], smallest)));
    bits.delta += static_cast<int>(std::bit_width(zigzag(difference(cells[i], cells[i - 1]))));
    if (!source.before.empty()) {
      bits.difference +=
          static_cast<int>(std::bit_width(zigzag(difference(cells[i], source.before[i]))));
    }
  }
  return bits;
}

/// Encodings that break up repeating values must gain clearly, since zstd finds the repetitions.
Encoding chooseEncoding(const ColumnToEncode& source, int64_t smallest) {
  if (source.type != ColumnType::kInteger) return Encoding::kOffset;
  const SampledBits bits = sampleBits(source, smallest);
  const int best = source.before.empty() ? bits.delta : std::min(bits.delta, bits.difference);
  if (best * 5 >= bits.offset * 4) return Encoding::kOffset;
  return best == bits.delta ? Encoding::kDelta : Encoding::kDifference;
}

/// Fills `values` with what the encoding stores and gives the bits that any of them uses.
uint64_t computeValues(const ColumnToEncode& source, BlockHeader& header,
                       std::vector<uint64_t>& values) {
  const std::span<const int64_t> cells = source.cells;
  values.resize(cells.size());
  uint64_t used = 0;
  if (header.encoding == Encoding::kOffset) {
    for (size_t i = 0; i < cells.size(); ++i) {
      used |= values[i] = difference(cells[i], header.base);
    }
    return used;
  }
  if (header.encoding == Encoding::kDelta) {
    header.base = cells[0];
    values[0] = 0;
    for (size_t i = 1; i < cells.size(); ++i) {
      used |= values[i] = zigzag(difference(cells[i], cells[i - 1]));
    }
    return used;
  }
  int64_t smallest = std::numeric_limits<int64_t>::max();
  for (size_t i = 0; i < cells.size(); ++i) {
    const auto value = static_cast<int64_t>(difference(cells[i], source.before[i]));
    smallest = std::min(smallest, value);
    values[i] = static_cast<uint64_t>(value);
  }
  header.base = smallest;
  for (uint64_t& value : values) used |= value -= static_cast<uint64_t>(smallest);
  return used;
}

bool isRepeated(const uint8_t* plane, size_t size) {
  return std::memcmp(plane, plane + 1, size - 1) == 0;
}

uint32_t planeWord(PlaneCodec codec, size_t storedBytes) {
  return static_cast<uint32_t>(codec) << kPlaneLengthBits | static_cast<uint32_t>(storedBytes);
}

}  // namespace

BlockEncoder::BlockEncoder() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  if (context_ == nullptr) throw std::bad_alloc();
}

BlockEncoder::~BlockEncoder() = default;

BlockHeader BlockEncoder::encodeCells(const ColumnToEncode& source, std::vector<uint8_t>& out) {
  BlockHeader header{.column = source.column};
  if (source.cells.empty()) return header;
  const auto [smallest, largest] = std::minmax_element(source.cells.begin(), source.cells.end());
  header.base = *smallest;
  if (*smallest == *largest) return header;

  if (source.type == ColumnType::kReal) header.base = 0;
  header.encoding = chooseEncoding(source, *smallest);
  // The column before is the reference: columns that belong together stand together in the schema.
  if (header.encoding == Encoding::kDifference) header.reference = source.column - 1;
  const uint64_t used = computeValues(source, header, values_);
  header.planes = static_cast<uint8_t>((std::bit_width(used) + 7) / 8);

  const size_t rows = source.cells.size();
  planes_.resize(rows * header.planes);
  splitPlanes(values_.data(), rows, header.planes, planes_.data());
  const size_t start = out.size();
  out.resize(start + header.planes * sizeof(uint32_t));
  for (size_t k = 0; k < header.planes; ++k) {
    const uint32_t word = appendPlane(planes_.data() + k * rows, rows, rows, out);
    std::memcpy(out.data() + start + k * sizeof word, &word, sizeof word);
  }
  header.storedBytes = static_cast<uint32_t>(out.size() - start);
  header.rawBytes = static_cast<uint32_t>(rows * header.planes);
  return header;
}

BlockHeader BlockEncoder::encodeBytes(uint16_t column, std::string_view bytes,
                                      std::vector<uint8_t>& out) {
  BlockHeader header{.column = column, .encoding = Encoding::kBytes, .planes = 1};
  const size_t start = out.size();
  out.resize(start + sizeof(uint32_t));
  const auto* plane = reinterpret_cast<const uint8_t*>(bytes.data());
  const uint32_t word = appendPlane(plane, bytes.size(), kMaxTextPerByte, out);
  std::memcpy(out.data() + start, &word, sizeof word);
  header.storedBytes = static_cast<uint32_t>(out.size() - start);
  header.rawBytes = static_cast<uint32_t>(bytes.size());
  return header;
}

/// Appends one plane in the smallest form that is at most `ratioLimit` times smaller than the
/// plane.
uint32_t BlockEncoder::appendPlane(const uint8_t* plane, size_t size, size_t ratioLimit,
                                   std::vector<uint8_t>& out) {
  if (size >= 2 && size <= ratioLimit && isRepeated(plane, size)) {
    out.push_back(plane[0]);
    return planeWord(PlaneCodec::kRepeated, 1);
  }
  const size_t start = out.size();
  if (size >= kSmallestCompressed) {
    out.resize(start + ZSTD_compressBound(size));
    const size_t packed = ZSTD_compressCCtx(context_.get(), out.data() + start, out.size() - start,
                                            plane, size, kCompressionLevel);
    if (ZSTD_isError(packed) == 0 && packed < size && size <= packed * ratioLimit) {
      out.resize(start + packed);
      return planeWord(PlaneCodec::kZstd, packed);
    }
  }
  out.resize(start);
  out.insert(out.end(), plane, plane + size);
  return planeWord(PlaneCodec::kStored, size);
}

}  // namespace jitscope::trace::format
