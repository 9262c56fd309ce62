#include "analyzer/export/parquet_export.h"

#include <fmt/format.h>

#include <map>
#include <vector>

#include "analyzer/export/new_folder.h"
#include "analyzer/parquet/plugin.h"
#include "analyzer/tables/run_table.h"

namespace jitscope::analyzer {
namespace {

namespace fs = std::filesystem;

// Told by the folder's name, so no file has a column of that name: readers add it from there.
constexpr std::string_view kPartition = "rank";

using Parts = std::vector<size_t>;  ///< positions of processes in the run

/// The rows that some processes have in a table, one process after the other.
class RankRows final : public RowSource {
 public:
  /// Both must outlive this.
  RankRows(const RunTable& table, const Parts& parts) : table_(table), parts_(parts) {
    for (size_t i = 0; i < table.columnCount(); ++i) {
      if (table.columnName(i) == kPartition) continue;
      columns_.push_back({table.columnName(i), table.columnType(i)});
      positions_.push_back(i);
    }
  }

  std::span<const Column> columns() const override { return columns_; }

  bool next() override {
    row_ = isStarted_ ? row_ + 1 : 0;
    isStarted_ = true;
    while (part_ < parts_.size() && row_ >= table_.rowCountOf(parts_[part_])) {
      ++part_;
      row_ = 0;
    }
    return part_ < parts_.size();
  }

  RunTable::Cell at(size_t column) const override {
    return table_.at({parts_[part_], row_}, positions_[column]);
  }

 private:
  const RunTable& table_;
  const Parts& parts_;
  std::vector<Column> columns_;
  std::vector<size_t> positions_;  ///< of `columns_` in the table
  size_t part_ = 0, row_ = 0;
  bool isStarted_ = false;
};

std::map<int64_t, Parts> partsByRank(const Run& run) {
  std::map<int64_t, Parts> ranks;
  for (size_t i = 0; i < run.processes.size(); ++i)
    ranks[run.processes[run.processes.indexAt(i)].row.rank].push_back(i);
  return ranks;
}

trace::Result<void> writeRank(const std::vector<RunTable>& tables, const Parts& parts,
                              const ParquetPlugin& plugin, const fs::path& folder) {
  if (const trace::Result<void> made = makeFolder(folder); !made) return made;
  for (const RunTable& table : tables) {
    const std::string name = fmt::format("{}.parquet", table.name());
    RankRows rows(table, parts);
    const trace::Result<void> written = plugin.write(rows, folder / name);
    if (!written) return written.error().within(name + ": cannot be written");
  }
  return {};
}

trace::Result<void> writeRanks(const Run& run, const ParquetPlugin& plugin,
                               const fs::path& folder) {
  const std::vector<RunTable> tables = runTables(run);
  for (const auto& [rank, parts] : partsByRank(run)) {
    const std::string name = fmt::format("{}={}", kPartition, rank);
    const trace::Result<void> written = writeRank(tables, parts, plugin, folder / name);
    if (!written) return written.error().within(name);
  }
  return {};
}

}  // namespace

trace::Result<void> exportParquet(const Run& run, const fs::path& target) {
  const trace::Result<ParquetPlugin> plugin = ParquetPlugin::open();
  if (!plugin) return plugin.error();
  return writeFolder(target,
                     [&](const fs::path& folder) { return writeRanks(run, *plugin, folder); });
}

}  // namespace jitscope::analyzer
