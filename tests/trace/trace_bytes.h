#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "trace/format/layout.h"
#include "trace/format/xxhash64.h"
#include "trace/write/batch.h"

namespace jitscope::trace {

/// The bytes of a trace file, made piece by piece without a writer: also of files that no writer
/// makes.
class TraceBytes {
 public:
  TraceBytes() { add(header_); }

  /// With another header; its checksum is made right.
  explicit TraceBytes(const format::FileHeader& header) : header_(header) { add(header_); }

  /// Chunks that `build` adds to a batch.
  template <class Build>
  TraceBytes& chunks(Build build) {
    batch_.clear();
    build(batch_);
    bytes_.append(reinterpret_cast<const char*>(batch_.bytes().data()), batch_.bytes().size());
    return *this;
  }

  /// Rows of a table that need not be known.
  TraceBytes& rows(const TableDescription& table, const std::vector<std::vector<int64_t>>& cells) {
    write::RowGatherer gatherer(table);
    for (const std::vector<int64_t>& row : cells) gatherer.add(row);
    return chunks([&](write::Batch& batch) { batch.addRows(gatherer); });
  }

  TraceBytes& raw(std::string_view bytes) {
    bytes_.append(bytes);
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void add(format::FileHeader header) {
    header.checksum = format::xxhash64(&header, offsetof(format::FileHeader, checksum));
    bytes_.append(reinterpret_cast<const char*>(&header), sizeof header);
  }

  format::FileHeader header_;
  write::Batch batch_;
  std::string bytes_;
};

inline void writeBytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::string readBytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace jitscope::trace
