#include "trace/read/chunk_scanner.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "trace/format/xxhash64.h"

namespace jitscope::trace::read {
namespace {

using format::ChunkHeader;
using format::ChunkKind;
using format::FileHeader;

constexpr uint64_t kSearchWindowBytes = 1u << 20;

// Looking for chunks inside of a damaged chunk may hash the same bytes again, for each header found
// there. Past this many times the file's size, damaged chunks are skipped whole.
constexpr uint64_t kMostHashingsOfAByte = 4;

Result<FileHeader> readFileHeader(const FileBytes& bytes, std::vector<uint8_t>& scratch) {
  if (bytes.size() == 0) return Error{"not a trace: the file is empty"};
  const std::span<const uint8_t> start = bytes.read(0, sizeof(FileHeader), scratch);
  const size_t magicBytes = std::min(start.size(), format::kFileMagic.size());
  if (std::memcmp(start.data(), format::kFileMagic.data(), magicBytes) != 0) {
    return Error{"not a trace: no JITSCOPE at offset 0"};
  }
  if (start.size() < sizeof(FileHeader)) {
    return Error{"cut short: file header at offset " + std::to_string(start.size())};
  }
  FileHeader header;
  std::memcpy(&header, start.data(), sizeof header);
  return header;
}

}  // namespace

Result<ChunkScanner> ChunkScanner::start(const FileBytes& bytes) {
  ChunkScanner scanner(bytes);
  const Result<FileHeader> header = readFileHeader(bytes, scanner.headerScratch_);
  if (!header) return header.error();
  scanner.offset_ = sizeof(FileHeader);
  const size_t checked = offsetof(FileHeader, checksum);
  if (format::xxhash64(&*header, checked) != header->checksum) {
    scanner.damages_.push_back({0, sizeof(FileHeader), {}, "file header: bad checksum"});
    return scanner;
  }
  if (header->byteOrder != format::kByteOrder) {
    return Error{"byte order is not little-endian: offset 12"};
  }
  if (header->majorVersion != format::kMajorVersion) {
    return Error{"format version " + std::to_string(header->majorVersion) +
                 " cannot be read by this jitscope, which reads " +
                 std::to_string(format::kMajorVersion) + ": offset 8"};
  }
  scanner.offset_ = std::max<uint64_t>(scanner.offset_, header->headerBytes);
  return scanner;
}

std::optional<ChunkScanner::Found> ChunkScanner::next() {
  while (offset_ < bytes_->size()) {
    const std::optional<ChunkPlace> place = headerAt(offset_);
    if (!place) {
      if (isTrailerAt(offset_)) {
        isComplete_ = true;
        return std::nullopt;
      }
      skipDamage();
      continue;
    }
    ++chunkCount_;
    if (std::optional<Found> found = chunkAt(*place)) {
      offset_ = place->endOffset();
      if (place->header.kind == ChunkKind::kIndex) lastIndexOffset_ = place->offset;
      return found;
    }
    const bool mayLookInside = hashedBytes_ <= kMostHashingsOfAByte * bytes_->size();
    offset_ = mayLookInside ? place->offset + sizeof(ChunkHeader) : place->endOffset();
  }
  return std::nullopt;
}

/// A sound header is trusted: it carries its own checksum.
std::optional<ChunkPlace> ChunkScanner::headerAt(uint64_t offset) {
  const auto start = bytes_->read(offset, sizeof(ChunkHeader), headerScratch_);
  if (start.size() < sizeof(ChunkHeader)) return std::nullopt;
  ChunkPlace place{offset, chunkCount_, {}};
  std::memcpy(&place.header, start.data(), sizeof place.header);
  if (place.header.magic != format::kChunkMagic) return std::nullopt;
  const uint64_t checksum = format::xxhash64(&place.header, offsetof(ChunkHeader, headerChecksum));
  if (checksum != place.header.headerChecksum) return std::nullopt;
  return place;
}

std::optional<ChunkScanner::Found> ChunkScanner::chunkAt(const ChunkPlace& place) {
  const uint64_t available = bytes_->size() - place.offset - sizeof(ChunkHeader);
  if (place.header.payloadBytes > available) {
    reject(place, "cut short");
    return std::nullopt;
  }
  const std::span<const uint8_t> payload =
      bytes_->read(place.offset + sizeof(ChunkHeader), place.header.payloadBytes, scratch_);
  hashedBytes_ += payload.size();
  if (payload.size() != place.header.payloadBytes ||
      format::xxhash64(payload.data(), payload.size()) != place.header.payloadChecksum) {
    reject(place, "bad checksum");
    return std::nullopt;
  }
  return Found{place, payload};
}

void ChunkScanner::reject(const ChunkPlace& chunk, std::string text) {
  const uint64_t end = std::min(chunk.endOffset(), bytes_->size());
  explainedUntil_ = std::max(explainedUntil_, end);
  damages_.push_back({chunk.offset, end - chunk.offset, chunk, std::move(text)});
}

bool ChunkScanner::isTrailerAt(uint64_t offset) {
  format::FileTrailer trailer;
  if (lastIndexOffset_ == 0 || bytes_->size() - offset != sizeof trailer) return false;
  const auto end = bytes_->read(offset, sizeof trailer, headerScratch_);
  if (end.size() != sizeof trailer) return false;
  std::memcpy(&trailer, end.data(), sizeof trailer);
  return trailer.magic == format::kEndMagic && trailer.indexOffset == lastIndexOffset_;
}

/// Moves to the next sound header, or the end, and counts what lies between as lost.
void ChunkScanner::skipDamage() {
  const uint64_t from = std::max(offset_, explainedUntil_);
  offset_ = findHeader(offset_ + 1);
  if (offset_ <= from) return;
  const bool isTail = offset_ >= bytes_->size();
  damages_.push_back({from, offset_ - from, {}, isTail ? "cut short" : "damaged"});
}

/// The offset of the next sound header, of the trailer when none comes before it, or the end.
uint64_t ChunkScanner::findHeader(uint64_t from) {
  const std::string_view magic(format::kChunkMagic.data(), format::kChunkMagic.size());
  while (from + sizeof(ChunkHeader) <= bytes_->size()) {
    const auto bytes = bytes_->read(from, kSearchWindowBytes, scratch_);
    const std::string_view window(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (size_t hit = window.find(magic); hit != window.npos; hit = window.find(magic, hit + 1)) {
      if (headerAt(from + hit)) return from + hit;
    }
    if (window.size() < kSearchWindowBytes) break;
    from += window.size() - (magic.size() - 1);
  }
  const uint64_t trailer = bytes_->size() - sizeof(format::FileTrailer);
  return from <= trailer && isTrailerAt(trailer) ? trailer : bytes_->size();
}

}  // namespace jitscope::trace::read
