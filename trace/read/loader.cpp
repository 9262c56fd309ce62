#include "trace/read/loader.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "trace/read/chunk_content.h"
#include "trace/read/chunk_scanner.h"

namespace jitscope::trace::read {
namespace {

using format::ChunkKind;

bool isBefore(const IndexEntry& left, const IndexEntry& right) {
  return left.offset < right.offset;
}

class Loader {
 public:
  explicit Loader(FileBytes bytes) { file_.bytes = std::move(bytes); }

  Result<LoadedFile> load() {
    Result<ChunkScanner> scanner = ChunkScanner::start(file_.bytes);
    if (!scanner) return scanner.error();
    while (const std::optional<ChunkScanner::Found> found = scanner->next()) {
      if (const char* fault = take(*found)) scanner->reject(found->place, fault);
    }
    file_.isComplete = scanner->isComplete();
    buildTables();
    std::sort(index_.begin(), index_.end(), isBefore);
    for (const Damage& damage : scanner->damages()) countDamage(damage);
    countUnknown();
    return std::move(file_);
  }

 private:
  /// Takes what a chunk holds; gives what is wrong with it, or null.
  const char* take(const ChunkScanner::Found& found) {
    const format::ChunkHeader& header = found.place.header;
    switch (header.kind) {
      case ChunkKind::kDescription:
        return takeDescription(header, found.payload);
      case ChunkKind::kDictionary:
        return takeDictionary(found);
      case ChunkKind::kRows:
        if (!areRowsSound(header, found.payload, decoder_)) return "bad blocks";
        rowChunks_.push_back(found.place);
        return nullptr;
      case ChunkKind::kIndex:
        return takeIndex(header, found.payload);
    }
    file_.losses.push_back({LossKind::kUnknown, placeOf(found.place), "unknown kind of chunk",
                            static_cast<int64_t>(header.rows)});
    return nullptr;
  }

  const char* takeDescription(const format::ChunkHeader& header, std::span<const uint8_t> payload) {
    std::optional<TableDescription> table = readDescription(header, payload, decoder_);
    if (!table) return "bad table description";
    described_.emplace(table->id, std::move(*table));
    return nullptr;
  }

  const char* takeDictionary(const ChunkScanner::Found& found) {
    const format::ChunkHeader& header = found.place.header;
    const uint64_t mostIds = format::kMaxIdsPerByte * found.place.endOffset();
    std::optional<DictionaryContent> content = readDictionary(header, found.payload, decoder_);
    if (!content || uint64_t{header.subject} + header.rows > mostIds ||
        !file_.texts.add(header.subject, content->lengths, std::move(content->bytes))) {
      return "bad texts";
    }
    return nullptr;
  }

  const char* takeIndex(const format::ChunkHeader& header, std::span<const uint8_t> payload) {
    const std::optional<std::vector<IndexEntry>> entries = readIndex(header, payload, decoder_);
    const size_t mostChunks = file_.bytes.size() / sizeof(format::ChunkHeader);
    if (!entries || index_.size() + entries->size() > mostChunks) return "bad index";
    index_.insert(index_.end(), entries->begin(), entries->end());
    return nullptr;
  }

  /// Descriptions may have been lost, or stand behind the rows in a damaged file: so this comes
  /// last.
  void buildTables() {
    for (auto& [id, table] : described_) {
      file_.tables.emplace(std::piecewise_construct, std::tuple(id), std::tuple(table));
    }
    for (const ChunkPlace& chunk : rowChunks_) {
      const auto id = static_cast<TableId>(chunk.header.subject);
      auto place = file_.tables.find(id);
      if (place == file_.tables.end()) {
        const TableDescription* known = knownTable(id);
        const TableDescription nameless{id, std::to_string(chunk.header.subject), {}};
        place = file_.tables
                    .emplace(std::piecewise_construct, std::tuple(id),
                             std::tuple(known != nullptr ? *known : nameless))
                    .first;
      }
      place->second.add(chunk);
    }
    for (const auto& [id, table] : file_.tables) file_.descriptions.push_back(table.description());
  }

  std::string nameOf(ChunkKind kind, uint32_t subject) const {
    const auto id = static_cast<TableId>(subject);
    const auto place = file_.tables.find(id);
    const TableDescription* known = knownTable(id);
    std::string table = "table " + std::to_string(subject);
    if (place != file_.tables.end()) {
      table = place->second.description().name;
    } else if (known != nullptr) {
      table = known->name;
    }
    switch (kind) {
      case ChunkKind::kDescription:
        return "description of " + table;
      case ChunkKind::kDictionary:
        return "dictionary";
      case ChunkKind::kRows:
        return table;
      case ChunkKind::kIndex:
        return "index";
    }
    return "kind " + std::to_string(static_cast<uint16_t>(kind));
  }

  std::string placeOf(const ChunkPlace& chunk) const {
    return "offset " + std::to_string(chunk.offset) + ": chunk " + std::to_string(chunk.number) +
           " (" + nameOf(chunk.header.kind, chunk.header.subject) + ")";
  }

  void countDamage(const Damage& damage) {
    const auto bytes = static_cast<int64_t>(damage.bytes);
    if (damage.chunk) {
      const format::ChunkHeader& header = damage.chunk->header;
      const bool holdsRows =
          header.kind == ChunkKind::kRows || header.kind == ChunkKind::kDictionary;
      file_.losses.push_back({LossKind::kDropped, placeOf(*damage.chunk), damage.text,
                              holdsRows ? static_cast<int64_t>(header.rows) : bytes});
      return;
    }
    const size_t before = file_.losses.size();
    auto place =
        std::lower_bound(index_.begin(), index_.end(), IndexEntry{damage.offset}, isBefore);
    for (; place != index_.end() && place->offset - damage.offset < damage.bytes; ++place) {
      const IndexEntry& entry = *place;
      if (entry.kind != ChunkKind::kRows && entry.kind != ChunkKind::kDictionary) continue;
      file_.losses.push_back({LossKind::kDropped,
                              "offset " + std::to_string(entry.offset) + ": chunk (" +
                                  nameOf(entry.kind, entry.subject) + ")",
                              damage.text, entry.rows});
    }
    if (file_.losses.size() > before) return;
    file_.losses.push_back(
        {LossKind::kDropped, "offset " + std::to_string(damage.offset), damage.text, bytes});
  }

  void countUnknown() {
    for (const auto& [id, table] : file_.tables) {
      const TableDescription& description = table.description();
      const std::string place = "table " + description.name;
      const auto rows = static_cast<int64_t>(table.rowCount());
      if (rows == 0) continue;
      if (table.knownColumns() == 0) {
        file_.losses.push_back({LossKind::kUnknown, place, "unknown table", rows});
        continue;
      }
      for (size_t i = table.knownColumns(); i < description.columns.size(); ++i) {
        file_.losses.push_back({LossKind::kUnknown,
                                place + ": column " + description.columns[i].name, "unknown column",
                                rows});
      }
    }
  }

  LoadedFile file_;
  format::BlockDecoder decoder_;
  std::map<TableId, TableDescription> described_;
  std::vector<ChunkPlace> rowChunks_;
  std::vector<IndexEntry> index_;
};

}  // namespace

Result<LoadedFile> load(const std::filesystem::path& path) {
  Result<FileBytes> bytes = FileBytes::open(path);
  if (!bytes) return bytes.error();
  Result<LoadedFile> file = Loader(std::move(*bytes)).load();
  if (file) file->path = path;
  return file;
}

}  // namespace jitscope::trace::read
