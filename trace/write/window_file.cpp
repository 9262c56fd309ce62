#include "trace/write/window_file.h"

#include <unistd.h>

#include "trace/write/file_header.h"

namespace jitscope::trace::write {
namespace {

/// Chunks that one index lists.
constexpr size_t kChunksPerIndex = 4096;

}  // namespace

WindowFile::~WindowFile() {
  if (isUnfinished_) ::unlink(path_.c_str());
}

Result<void> WindowFile::create(const std::filesystem::path& path) {
  return create(path, newFileHeader());
}

Result<void> WindowFile::create(const std::filesystem::path& path,
                                std::span<const uint8_t> header) {
  path_ = path;
  Result<void> created = file_.create(path, header);
  isWhole_ = static_cast<bool>(created);
  isUnfinished_ = isWhole_;
  return created;
}

void WindowFile::add(const ChunkExtent& extent, std::span<const uint8_t> bytes) {
  if (!isWhole_) return;
  if (chunks_.size() >= kChunksPerIndex) {
    Batch index;
    index.addIndex(chunks_);
    isWhole_ = file_.append(index.bytes(), {}) == index.bytes().size();
    chunks_.clear();
  }
  ChunkExtent& chunk = chunks_.emplace_back(extent);
  chunk.offset = file_.size();
  if (extent.kind == format::ChunkKind::kRows) rows_ += extent.rows;
  isWhole_ = isWhole_ && file_.append(bytes, {}) == bytes.size();
}

void WindowFile::add(const Batch& batch) {
  for (const ChunkExtent& chunk : batch.chunks()) {
    add(chunk,
        batch.bytes().subspan(static_cast<size_t>(chunk.offset), static_cast<size_t>(chunk.bytes)));
  }
}

Result<void> WindowFile::finish() {
  Batch end;
  end.addIndex(chunks_);
  end.addTrailer(file_.size());
  isWhole_ = isWhole_ && file_.append(end.bytes(), {}) == end.bytes().size();
  file_.close();
  isUnfinished_ = !isWhole_;
  if (isWhole_) return {};
  return Error{file_.problem()};
}

}  // namespace jitscope::trace::write
