#include "tests/trace/fuzz_reader.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "tests/trace/memory_file.h"
#include "trace/format/layout.h"
#include "trace/format/xxhash64.h"
#include "trace/reader.h"

namespace jitscope::trace {
namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void readAll(const TraceFile& file) {
  size_t textBytes = 0;
  for (const TableDescription& table : file.tables()) {
    const size_t rows = file.rowCount(table.id);
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const std::span<const int64_t> cells = file.column(table.id, i);
      require(cells.size() == rows);
      for (size_t row = 0; row < rows; row += 97) {
        textBytes += file.text(fromCell<StringId>(cells[row])).size();
      }
    }
    require(file.column(table.id, table.columns.size()).empty());
  }
  for (size_t id = 0; id < file.stringCount(); id += 13) {
    textBytes += file.text(static_cast<StringId>(id)).size();
  }
  for (const ReadLoss& loss : file.losses()) require(!loss.place.empty() && !loss.text.empty());
  require(textBytes < size_t{1} << 60);
}

/// Makes the checksums right of whatever stands where chunks follow each other, so that damage
/// behind them is reached.
std::string withRightChecksums(std::string bytes) {
  using format::ChunkHeader, format::FileHeader, format::xxhash64;
  FileHeader header;
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.checksum = xxhash64(&header, offsetof(FileHeader, checksum));
  std::memcpy(bytes.data(), &header, sizeof header);
  for (size_t at = sizeof header; at + sizeof(ChunkHeader) <= bytes.size();) {
    ChunkHeader chunk;
    std::memcpy(&chunk, bytes.data() + at, sizeof chunk);
    const size_t left = bytes.size() - at - sizeof chunk;
    const size_t payload = std::min<size_t>(chunk.payloadBytes, left);
    chunk.payloadChecksum = xxhash64(bytes.data() + at + sizeof chunk, payload);
    chunk.headerChecksum = xxhash64(&chunk, offsetof(ChunkHeader, headerChecksum));
    std::memcpy(bytes.data() + at, &chunk, sizeof chunk);
    at += sizeof chunk + payload;
  }
  return bytes;
}

void readInput(std::string_view bytes) {
  const MemoryFile memory(bytes);
  const Result<TraceFile> file = TraceFile::open(memory.path());
  if (file) {
    readAll(*file);
  } else {
    require(file.error().text.find('\n') == std::string::npos);
  }
}

}  // namespace
}  // namespace jitscope::trace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  const std::string input(reinterpret_cast<const char*>(bytes), size);
  jitscope::trace::readInput(input);
  jitscope::trace::readInput(jitscope::trace::withRightChecksums(input));
  return 0;
}
