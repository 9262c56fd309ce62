#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

/// \file
/// The fixed parts of a trace file, as FORMAT.md lays them out. They are read and written by
/// memcpy.
namespace jitscope::trace::format {

static_assert(std::endian::native == std::endian::little, "trace files are little-endian");

inline constexpr std::array<char, 8> kFileMagic = {'J', 'I', 'T', 'S', 'C', 'O', 'P', 'E'};
inline constexpr std::array<char, 8> kChunkMagic = {'\x93', 'c', 'h', 'u', 'n', 'k', '\r', '\n'};
inline constexpr std::array<char, 8> kEndMagic = {'J', 'S', 'C', 'O', 'P', 'E', 'N', 'D'};
inline constexpr uint16_t kMajorVersion = 1;
inline constexpr uint16_t kMinorVersion = 0;
inline constexpr uint32_t kByteOrder = 0x01020304;

// Limits that a reader may rely on, so that a damaged length cannot make it allocate without bound.
inline constexpr uint32_t kMaxRows = 65'536;             ///< rows or texts in one chunk
inline constexpr uint32_t kMaxPayloadBytes = 64u << 20;  ///< of one chunk
inline constexpr uint32_t kMaxTextBytes = 16u << 20;     ///< of one text
inline constexpr uint32_t kMaxRawBytes = 32u << 20;      ///< of one decoded block
inline constexpr uint32_t kMaxRowsPerByte = 16;          ///< of a chunk, its header included
inline constexpr uint32_t kMaxTextPerByte = 256;         ///< decoded over stored, of a bytes block
inline constexpr uint32_t kMaxIdsPerByte = 16;  ///< StringIds over the file up to their chunk

struct FileHeader {
  std::array<char, 8> magic = kFileMagic;
  uint16_t majorVersion = kMajorVersion;
  uint16_t minorVersion = kMinorVersion;
  uint32_t byteOrder = kByteOrder;
  uint32_t headerBytes = 64;  ///< where the first chunk begins
  uint32_t flags = 0;
  std::array<uint8_t, 16> uuid{};
  int64_t pid = 0;
  int64_t createdNs = 0;
  uint64_t checksum = 0;  ///< XXH64 of the bytes before it
};
static_assert(sizeof(FileHeader) == 64);

enum class ChunkKind : uint16_t { kDescription = 1, kDictionary = 2, kRows = 3, kIndex = 4 };

struct ChunkHeader {
  std::array<char, 8> magic = kChunkMagic;
  ChunkKind kind{};
  uint16_t blockCount = 0;
  uint32_t subject = 0;  ///< table (description, rows), first StringId (dictionary), else 0
  uint32_t rows = 0;
  uint32_t payloadBytes = 0;  ///< block headers, block bodies, padding
  uint32_t rawBytes = 0;      ///< sum of the blocks' rawBytes
  uint32_t reserved = 0;
  int64_t minTimeNs = 0;  ///< over the time columns of a rows chunk, else 0
  int64_t maxTimeNs = 0;
  uint64_t payloadChecksum = 0;  ///< XXH64
  uint64_t headerChecksum = 0;   ///< XXH64 of the bytes before it
};
static_assert(sizeof(ChunkHeader) == 64);

enum class Encoding : uint8_t {
  kConstant = 0,    ///< every cell is base
  kOffset = 1,      ///< cell = base + value
  kDelta = 2,       ///< cell = cell before (at first base) + zigzag value
  kDifference = 3,  ///< cell = cell of the reference column + base + value
  kBytes = 4,       ///< not cells: rawBytes bytes
};

struct BlockHeader {
  uint16_t column = 0;
  Encoding encoding{};
  uint8_t planes = 0;      ///< how many low bytes of the values are stored
  uint16_t reference = 0;  ///< column that kDifference adds to
  uint16_t reserved = 0;
  uint32_t storedBytes = 0;  ///< of the body: plane headers and planes
  uint32_t rawBytes = 0;     ///< planes x rows, or the length of kBytes
  int64_t base = 0;
};
static_assert(sizeof(BlockHeader) == 24);

/// Before the planes of a body stands one 32-bit word for each: codec in the two high bits, stored
/// length in the others.
enum class PlaneCodec : uint32_t { kStored = 0, kZstd = 1, kRepeated = 2 };
inline constexpr uint32_t kPlaneLengthBits = 30;

struct FileTrailer {
  uint64_t indexOffset = 0;  ///< of the last index chunk
  std::array<char, 8> magic = kEndMagic;
};
static_assert(sizeof(FileTrailer) == 16);

/// Columns of the chunks that are not tables of schema.h.
enum class DictionaryColumn : uint16_t { kLength = 0, kText = 1 };
enum class IndexColumn : uint16_t { kOffset, kKind, kSubject, kRows, kBytes, kMinTime, kMaxTime };
inline constexpr uint16_t kIndexColumnCount = 7;

}  // namespace jitscope::trace::format
