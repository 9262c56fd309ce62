#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/format/layout.h"
#include "trace/read/file_bytes.h"
#include "trace/result.h"

namespace jitscope::trace::read {

/// Where a chunk stands.
struct ChunkPlace {
  uint64_t offset = 0;
  size_t number = 0;  ///< counted from 0 over all chunks found, damaged ones included
  format::ChunkHeader header;

  uint64_t endOffset() const { return offset + sizeof header + header.payloadBytes; }
};

/// A stretch of the file that could not be read.
struct Damage {
  uint64_t offset = 0;
  uint64_t bytes = 0;
  std::optional<ChunkPlace> chunk;  ///< when its header is sound
  std::string text;
};

/// Walks over the chunks of a file from front to back without using its index. After damage it goes
/// on at the next sound chunk header. Time is linear in the size of the file, whatever it holds.
class ChunkScanner {
 public:
  /// Reads the file header. An error when the file is not a trace of a version that can be read.
  static Result<ChunkScanner> start(const FileBytes& bytes);

  /// The next chunk whose checksums fit; `payload` is valid until the next call.
  struct Found {
    ChunkPlace place;
    std::span<const uint8_t> payload;
  };
  std::optional<Found> next();

  /// Records that the chunk last given out is damaged beyond what its checksums tell.
  void reject(const ChunkPlace& chunk, std::string text);

  const std::vector<Damage>& damages() const { return damages_; }

  /// Whether the file ends as a closed file does: with an index chunk and the trailer that points
  /// at it.
  bool isComplete() const { return isComplete_; }

 private:
  explicit ChunkScanner(const FileBytes& bytes) : bytes_(&bytes) {}

  std::optional<ChunkPlace> headerAt(uint64_t offset);
  std::optional<Found> chunkAt(const ChunkPlace& place);
  bool isTrailerAt(uint64_t offset);
  void skipDamage();
  uint64_t findHeader(uint64_t from);

  const FileBytes* bytes_;
  uint64_t offset_ = 0;
  uint64_t explainedUntil_ = 0;  ///< bytes before it belong to damage that is already counted
  uint64_t hashedBytes_ = 0;
  size_t chunkCount_ = 0;
  uint64_t lastIndexOffset_ = 0;
  bool isComplete_ = false;
  std::vector<Damage> damages_;
  std::vector<uint8_t> headerScratch_;
  std::vector<uint8_t> scratch_;
};

}  // namespace jitscope::trace::read
