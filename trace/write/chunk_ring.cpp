#include "trace/write/chunk_ring.h"

namespace jitscope::trace::write {
namespace {

/// What a chunk takes beyond its bytes.
constexpr size_t kOwnBytes = sizeof(KeptChunk) + 32;

KeptChunk keep(const ChunkExtent& extent, std::span<const uint8_t> bytes) {
  return {extent, std::vector<uint8_t>(bytes.begin(), bytes.end())};
}

}  // namespace

void ChunkRing::dropOldest(Part& part) {
  part.bytes -= part.chunks.front().bytes.size() + kOwnBytes;
  part.chunks.pop_front();
}

void ChunkRing::add(Part& part, const ChunkExtent& extent, std::span<const uint8_t> bytes) {
  part.chunks.push_back(keep(extent, bytes));
  part.bytes += bytes.size() + kOwnBytes;
  while (part.bytes > part.mostBytes) {
    part.forgottenRows += part.chunks.front().extent.rows;
    dropOldest(part);
  }
}

void ChunkRing::addLasting(const ChunkExtent& extent, std::span<const uint8_t> bytes) {
  lasting_.push_back(keep(extent, bytes));
}

void ChunkRing::addNames(const ChunkExtent& extent, std::span<const uint8_t> bytes) {
  add(names_, extent, bytes);
}

void ChunkRing::addContext(const ChunkExtent& extent, std::span<const uint8_t> bytes) {
  add(context_, extent, bytes);
}

void ChunkRing::addEvents(const ChunkExtent& extent, std::span<const uint8_t> bytes) {
  add(events_, extent, bytes);
}

void ChunkRing::forgetBefore(int64_t timeNs) {
  while (!events_.chunks.empty() && events_.chunks.front().extent.maxTimeNs < timeNs) {
    dropOldest(events_);
  }
}

}  // namespace jitscope::trace::write
