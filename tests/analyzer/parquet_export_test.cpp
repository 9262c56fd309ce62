#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "analyzer/cli.h"
#include "analyzer/tables/csv.h"
#include "tests/analyzer/parquet_content.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"
#include "trace/tables.h"

namespace jitscope::analyzer {
namespace {

namespace fs = std::filesystem;
using Lines = std::multiset<std::string>;

/// Four processes: two of rank 0, one of rank 7 and one without a rank.
constexpr std::pair<const char*, std::string_view> kProcesses[] = {
    {"a", R"(
process pid=10 rank=0 world_size=8 command_line="a, \"b\"\nc"
device  device=0 name="H" memory_bytes=9223372036854775807 peak_bytes_per_second=4800000000000.5
frame   frame=0 name="step" file="step.py" line=3
call    frame=0 attempt=0 at=1000us..1100us thread=1 outcome=hit guard_ns=5us
op      at=1020us..1030us thread=1 name="aten::mm" shapes="[4, 16], [16, 16]" sequence=7
kernel  at=1040us..1051us device=0 stream=7 correlation=5 name="gemm"
)"},
    {"b", R"(
process pid=11 rank=0 world_size=8
op      at=1020us..1031us thread=1 name="aten::mm"
counter at=1us..2us device=0 metric="dram_read_bytes" value=12.25
)"},
    {"c", R"(
process pid=12 rank=7 world_size=8
op      at=1020us..1032us thread=1 name="aten::relu" sequence=-9223372036854775808
op      at=1033us..1034us thread=1 name="aten::mm"
)"},
    {"d", R"(
process pid=13
op      at=1020us..1033us thread=1 name="aten::mm"
)"},
};

std::string textOf(const RunTable::Cell& cell) {
  std::string text;
  if (const auto* words = std::get_if<std::string_view>(&cell))
    appendCsvCell(text, *words);
  else if (const auto* real = std::get_if<double>(&cell))
    text = fmt::format("{}", *real);
  else
    text = fmt::format("{}", std::get<int64_t>(cell));
  return text;
}

class ParquetExport : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(run_);
    for (const auto& [name, rows] : kProcesses)
      tests::writeTrace(run_ / (std::string(name) + ".jitscope"), rows);
  }

  int exportTo(const char* format, const fs::path& target) {
    const std::vector<std::string> words{run_.string(), "--to", format, "-o", target.string()};
    std::ostringstream output, errors;
    const int status = exportCommand(words, output, errors);
    errors_ = errors.str();
    return status;
  }

  /// The rows of a table of all ranks as lines of CSV, with the column of the folder's name where
  /// the table has it.
  static Lines parquetRows(const fs::path& target, const trace::TableDescription& table) {
    Lines lines;
    for (const auto& folder : fs::directory_iterator(target)) {
      const std::string rank = folder.path().filename().string().substr(5);
      const tests::ParquetContent content =
          tests::readParquet(folder.path() / (table.name + ".parquet"));
      for (size_t row = 0; row < content.rowCount(); ++row) {
        size_t column = 0;
        std::string line = textOf(content.at(row, column++));
        for (const trace::ColumnDescription& each : table.columns)
          line += ',' + (each.name == "rank" ? rank : textOf(content.at(row, column++)));
        EXPECT_EQ(column, content.columnNames().size());
        lines.insert(line);
      }
    }
    return lines;
  }

  /// The rows of a file of CSV; quoted cells may hold ends of lines.
  static Lines csvRows(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string line, row;
    std::getline(file, line);  // the names
    Lines rows;
    while (std::getline(file, line)) {
      row += row.empty() ? line : '\n' + line;
      if (std::count(row.begin(), row.end(), '"') % 2 != 0) continue;
      rows.insert(row);
      row.clear();
    }
    return rows;
  }

  tests::TemporaryFolder folder_;
  fs::path run_ = folder_ / "run";
  std::string errors_;
};

TEST_F(ParquetExport, HasTheRowsOfTheExportToCsvInEveryTable) {
  ASSERT_EQ(exportTo("csv", folder_ / "csv"), 0) << errors_;
  ASSERT_EQ(exportTo("parquet", folder_ / "parquet"), 0) << errors_;
  size_t rows = 0;
  for (const trace::TableDescription& table : trace::knownTables()) {
    const Lines expected = csvRows(folder_ / "csv" / (table.name + ".csv"));
    EXPECT_EQ(parquetRows(folder_ / "parquet", table), expected) << table.name;
    rows += expected.size();
  }
  EXPECT_EQ(rows, 14U + 4U);  // those above, and the own time of each of the four recorders
}

TEST_F(ParquetExport, KeepsTheProcessesOfARankTogetherAndTellsThemApart) {
  ASSERT_EQ(exportTo("parquet", folder_ / "out"), 0) << errors_;
  std::map<std::string, std::vector<int64_t>> processes;
  for (const auto& folder : fs::directory_iterator(folder_ / "out")) {
    const tests::ParquetContent ops = tests::readParquet(folder.path() / "op.parquet");
    for (size_t row = 0; row < ops.rowCount(); ++row)
      processes[folder.path().filename()].push_back(std::get<int64_t>(ops.at(row, 0)));
  }
  EXPECT_EQ(processes, (std::map<std::string, std::vector<int64_t>>{
                           {"rank=-1", {3}}, {"rank=0", {0, 1}}, {"rank=7", {2, 2}}}));
}

TEST_F(ParquetExport, WritesTablesWithoutRowsWithTheirColumns) {
  ASSERT_EQ(exportTo("parquet", folder_ / "out"), 0) << errors_;
  for (const char* rank : {"rank=-1", "rank=0", "rank=7"}) {
    for (const trace::TableDescription& table : trace::knownTables()) {
      const tests::ParquetContent content =
          tests::readParquet(folder_ / "out" / rank / (table.name + ".parquet"));
      std::vector<std::string> names{"process"};
      for (const trace::ColumnDescription& column : table.columns) {
        if (column.name != "rank") names.push_back(column.name);
      }
      EXPECT_EQ(content.columnNames(), names) << rank << "/" << table.name;
    }
  }
  EXPECT_EQ(tests::readParquet(folder_ / "out" / "rank=7" / "counter.parquet").rowCount(), 0U);
}

TEST_F(ParquetExport, PutsManyRunsIntoOneFolder) {
  fs::create_directory(folder_ / "fleet");
  EXPECT_EQ(exportTo("parquet", folder_ / "fleet" / "run=monday"), 0) << errors_;
  EXPECT_EQ(exportTo("parquet", folder_ / "fleet" / "run=tuesday"), 0) << errors_;
  EXPECT_TRUE(fs::exists(folder_ / "fleet" / "run=monday" / "rank=7" / "op.parquet"));
  EXPECT_TRUE(fs::exists(folder_ / "fleet" / "run=tuesday" / "rank=7" / "op.parquet"));
}

TEST_F(ParquetExport, RefusesAFolderThatIsThere) {
  fs::create_directory(folder_ / "out");
  EXPECT_EQ(exportTo("parquet", folder_ / "out"), 2);
  EXPECT_NE(errors_.find("is there already, name a new folder"), std::string::npos) << errors_;
  EXPECT_TRUE(fs::is_empty(folder_ / "out"));
}

TEST_F(ParquetExport, NamesTheFolderThatCannotBeMade) {
  EXPECT_EQ(exportTo("parquet", folder_ / "absent" / "out"), 2);
  EXPECT_NE(errors_.find("absent/out: cannot be made: No such file or directory"),
            std::string::npos)
      << errors_;
}

}  // namespace
}  // namespace jitscope::analyzer
