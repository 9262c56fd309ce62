#include "trace/amendment.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>

#include "trace/clock.h"
#include "trace/read/chunk_scanner.h"
#include "trace/read/file_bytes.h"
#include "trace/reader.h"
#include "trace/trace_path.h"
#include "trace/write/window_file.h"

namespace jitscope::trace {
namespace {

using format::ChunkHeader;
using format::ChunkKind;

/// The chunks of a file, but for the rows of one table and the index.
class Copying {
 public:
  Copying(const read::FileBytes& bytes, TableId left) : bytes_(bytes), left_(left) {}

  /// The bytes in front of the first chunk that a new file begins with.
  std::vector<uint8_t> header() const {
    std::vector<uint8_t> scratch;
    const auto start = bytes_.read(0, sizeof(format::FileHeader), scratch);
    return {start.begin(), start.end()};
  }

  Result<void> into(write::WindowFile& file) const {
    auto scanner = read::ChunkScanner::start(bytes_);
    if (!scanner) return scanner.error();
    std::vector<uint8_t> chunk;
    while (const auto found = scanner->next()) {
      const ChunkHeader& header = found->place.header;
      const bool isLeft =
          header.kind == ChunkKind::kRows && header.subject == static_cast<uint32_t>(left_);
      if (isLeft || header.kind == ChunkKind::kIndex) continue;
      chunk.resize(sizeof header + found->payload.size());
      std::memcpy(chunk.data(), &header, sizeof header);
      std::copy(found->payload.begin(), found->payload.end(), chunk.begin() + sizeof header);
      file.add({header.kind, header.subject, header.rows, 0, static_cast<int64_t>(chunk.size()),
                header.minTimeNs, header.maxTimeNs},
               chunk);
    }
    if (!scanner->damages().empty()) return Error{"it is damaged"};
    if (!scanner->isComplete()) return Error{"it was not closed"};
    return {};
  }

 private:
  const read::FileBytes& bytes_;
  TableId left_;
};

void addRows(const TraceFile& from, const Amendment& amendment, write::WindowFile& file) {
  const TableDescription& table = *knownTable(amendment.table);
  std::vector<std::span<const int64_t>> columns;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const auto changed = amendment.columns.find(i);
    columns.push_back(changed == amendment.columns.end() ? from.column(table.id, i)
                                                         : std::span(changed->second));
  }
  write::RowGatherer gatherer(table);
  write::Batch batch;
  const auto hand = [&] {
    batch.clear();
    batch.addRows(gatherer);
    file.add(batch);
    gatherer.clear();
  };
  std::vector<int64_t> row(columns.size());
  for (size_t at = 0; at < from.rowCount(table.id); ++at) {
    for (size_t i = 0; i < columns.size(); ++i) row[i] = columns[i][at];
    gatherer.add(row);
    if (gatherer.isFull()) hand();
  }
  if (gatherer.rows() > 0) hand();
}

void addMissing(const TraceFile& from, const Amendment& amendment, write::WindowFile& file) {
  if (amendment.missing.empty()) return;
  const TableDescription& table = *knownTable(TableId::kLoss);
  write::Batch batch;
  const bool isDescribed =
      std::any_of(from.tables().begin(), from.tables().end(),
                  [](const TableDescription& known) { return known.id == TableId::kLoss; });
  if (!isDescribed) batch.addDescription(table);
  write::TextPiece texts;
  texts.first = std::max<uint32_t>(1, static_cast<uint32_t>(from.stringCount()));
  const auto intern = [&](const std::string& text) {
    texts.lengths.push_back(static_cast<int64_t>(text.size()));
    texts.bytes += text;
    return static_cast<StringId>(texts.end() - 1);
  };
  write::RowGatherer rows(table);
  for (const Amendment::Missing& missing : amendment.missing) {
    const LossRow loss{.timeNs = nowNs(),
                       .kind = LossKind::kDropped,
                       .place = intern(missing.place),
                       .text = intern(missing.text)};
    std::vector<int64_t> cells;
    LossRow::columns([&](const char*, auto member) { cells.push_back(toCell(loss.*member)); });
    rows.add(cells);
  }
  batch.addTexts(texts);
  batch.addRows(rows);
  file.add(batch);
}

/// The whole new file, under another name.
Result<void> writeAnew(const TraceFile& from, const read::FileBytes& bytes,
                       const std::filesystem::path& path, const Amendment& amendment) {
  const Copying copying(bytes, amendment.table);
  write::WindowFile file;
  if (const auto created = file.create(path, copying.header()); !created) return created.error();
  if (const auto copied = copying.into(file); !copied) return copied.error();
  addRows(from, amendment, file);
  addMissing(from, amendment, file);
  return file.finish();
}

}  // namespace

Result<void> amend(const std::filesystem::path& path, const Amendment& amendment) {
  const auto from = TraceFile::open(path);
  if (!from) return from.error();
  const auto bytes = read::FileBytes::open(path);
  if (!bytes) return bytes.error().within(path.string());
  for (const auto& [column, cells] : amendment.columns) {
    if (cells.size() != from->rowCount(amendment.table))
      return Error{path.string() + ": other rows than cells for column " + std::to_string(column)};
  }
  const std::filesystem::path anew = hiddenTracePath(path);
  if (const auto written = writeAnew(*from, *bytes, anew, amendment); !written) {
    return written.error().within(path.string());
  }
  std::error_code error;
  std::filesystem::rename(anew, path, error);
  if (!error) return {};
  std::filesystem::remove(anew, error);
  return Error{path.string() + ": cannot be replaced"};
}

}  // namespace jitscope::trace
