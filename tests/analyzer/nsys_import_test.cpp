#include "analyzer/import/nsys_import.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "analyzer/sqlite/database.h"
#include "tests/analyzer/cases.h"
#include "tests/analyzer/mutations.h"
#include "tests/analyzer/packing.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

constexpr int64_t kSessionNs = 1'700'000'000'000'000'000;

int64_t countOf(const analyzer::Run& run, std::string_view name) {
  for (const InputCount& count : run.inputs.front().counts) {
    if (count.name == name) return std::get<int64_t>(count.amount);
  }
  return -1;
}

class NsysImport : public testing::Test {
 protected:
  trace::Result<analyzer::Run> runOf(const std::vector<std::string>& statements) const {
    trace::Result<Database> database = Database::create(path_);
    if (!database) return database.error();
    for (const std::string& sql : statements) {
      if (trace::Result<void> done = database->run(sql); !done) return done.error().within(sql);
    }
    database = Database::inMemory();  // closes the file
    return loadRun(path_);
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "report.sqlite";
};

const std::vector<std::string> kSmallExport{
    "CREATE TABLE StringIds (id INTEGER, value TEXT)",
    "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'triton_poi_fused_add_0'), "
    "(3, 'main')",
    "CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER)",
    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1700000000000000000)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, "
    "correlationId INTEGER, nameId INTEGER, returnValue INTEGER)",
    // Process 5, thread 6.
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 110, 5 * 0x1000000 + 6, 9, 1, 0)",
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, globalPid INTEGER, "
    "deviceId INTEGER, streamId INTEGER, correlationId INTEGER, demangledName INTEGER, gridX "
    "INTEGER, gridY INTEGER, gridZ INTEGER)",
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (200, 250, 5 * 0x1000000, 0, 7, 9, 2, 4, 1, 1)",
    "CREATE TABLE NVTX_EVENTS_V2 (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, "
    "globalTid INTEGER)",
    "INSERT INTO NVTX_EVENTS_V2 VALUES (90, 120, 59, 'aten::mm, op_id = 3, seq = 12', 5 * "
    "0x1000000 + 6)"};

TEST_F(NsysImport, JoinsKernelsWithCallsAndRanges) {
  const trace::Result<analyzer::Run> run = runOf(kSmallExport);
  ASSERT_TRUE(run) << run.error().text;
  ASSERT_EQ(run->processes.size(), 1U);
  const Process& process = run->processes[ProcessIndex{0}];
  EXPECT_EQ(process.row.pid, 5);
  ASSERT_EQ(process.kernels.size(), 1U);
  const trace::KernelRow kernel = process.kernels.row(0);
  EXPECT_EQ(run->text(kernel.name), "triton_poi_fused_add_0");
  EXPECT_EQ(kernel.startNs, kSessionNs + 200);
  EXPECT_EQ(kernel.origin, trace::Origin::kCompiled);
  ASSERT_TRUE(exists(process.kernelOps[0]));
  EXPECT_EQ(run->text(process.ops.get<&trace::OpRow::name>(0)), "aten::mm");
  EXPECT_EQ(process.ops.get<&trace::OpRow::sequence>(0), 12);
  EXPECT_EQ(run->text(process.rows<trace::ApiRow>()[0].name), "cudaLaunchKernel");
  EXPECT_EQ(countOf(*run, "kern_ns"), 50);
  EXPECT_EQ(countOf(*run, "kern_no_runtime_corr"), 0);
  EXPECT_TRUE(analyze(*run).findings.empty());
}

TEST_F(NsysImport, SaysWhenThereAreNoRanges) {
  std::vector<std::string> statements = kSmallExport;
  statements.resize(statements.size() - 2);
  const trace::Result<analyzer::Run> run = runOf(statements);
  ASSERT_TRUE(run) << run.error().text;
  const Analysis analysis = analyze(*run);
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].id, "recording/absent_part/NVTX_EVENTS");
}

TEST_F(NsysImport, TakesAnExportWithoutDeviceWork) {
  const trace::Result<analyzer::Run> run =
      runOf({"CREATE TABLE StringIds (id INTEGER, value TEXT)"});
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(countOf(*run, "kern"), 0);
}

TEST_F(NsysImport, RunsNothingThatASchemaHides) {
  // A view in place of a table could take for ever.
  const trace::Result<analyzer::Run> run = runOf(
      {"CREATE TABLE StringIds (id INTEGER, value TEXT)",
       "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE forever(start) AS (SELECT 1 UNION "
       "ALL SELECT start + 1 FROM forever) SELECT start, start + 1 AS end FROM forever"});
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(run->kernelCount(), 0U);
}

/// Pages of an SQLite file.
class Pages {
 public:
  static constexpr size_t kBytes = 512;

  explicit Pages(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(file), {});
  }

  size_t count() const { return bytes_.size() / kBytes; }
  const std::string& bytes() const { return bytes_; }
  void copy(size_t from, size_t to) {
    bytes_.replace((to - 1) * kBytes, kBytes, bytes_, (from - 1) * kBytes, kBytes);
  }

  /// Makes a page of a table's tree all of whose branches lead to one and the same page.
  void branch(size_t page, size_t child) {
    constexpr size_t kCells = 60, kHeader = 12, kCell = 5;
    std::string made(kBytes, '\0');
    const auto put = [&](size_t at, size_t number, size_t size) {
      for (size_t i = 0; i < size; ++i)
        made[at + i] = static_cast<char>(number >> (8 * (size - 1 - i)));
    };
    put(0, 5, 1);
    put(3, kCells, 2);
    put(5, kBytes - kCells * kCell, 2);
    put(8, child, 4);
    for (size_t i = 0; i < kCells; ++i) {
      const size_t cell = kBytes - (i + 1) * kCell;
      put(kHeader + 2 * i, cell, 2);
      put(cell, child, 4);
      put(cell + 4, i + 1, 1);
    }
    bytes_.replace((page - 1) * kBytes, kBytes, made);
  }

 private:
  std::string bytes_;
};

/// The page that a table's tree begins at; 0 when there is no such table.
size_t rootPage(const std::filesystem::path& path, const std::string& table) {
  trace::Result<Database> database = Database::create(path);
  if (!database) return 0;
  trace::Result<Statement> row =
      database->prepare("SELECT rootpage FROM sqlite_schema WHERE name = '" + table + "'");
  return row && row->step() ? static_cast<size_t>(row->integer(0)) : 0;
}

TEST_F(NsysImport, EndsWhereATableLeadsToItsPagesAgainAndAgain) {
  for (const char* table : {"CUPTI_ACTIVITY_KIND_KERNEL", "StringIds", "OSRT_API"}) {
    SCOPED_TRACE(table);
    std::filesystem::remove(path_);
    trace::Result<analyzer::Run> made = runOf(
        {"PRAGMA page_size = 512", "CREATE TABLE filler (x)",
         "CREATE TABLE TARGET_INFO_GPU (id INTEGER)", "INSERT INTO filler VALUES (zeroblob(9000))",
         std::string("CREATE TABLE ") + table + " (start INTEGER, end INTEGER, id INTEGER)",
         std::string("INSERT INTO ") + table + " VALUES (1, 2, 3), (2, 3, 4), (3, 4, 5)"});
    ASSERT_TRUE(made) << made.error().text;
    const size_t first = rootPage(path_, table);
    ASSERT_GT(first, 1U);
    Pages pages(path_);
    size_t leaf = pages.count() == first ? pages.count() - 1 : pages.count();
    pages.copy(first, leaf);
    // 60 branches in each of eight levels: more rows than anybody can wait for.
    for (int level = 0; level < 7; ++level) {
      const size_t page = leaf - 1 == first ? leaf - 2 : leaf - 1;
      pages.branch(page, leaf);
      leaf = page;
    }
    pages.branch(first, leaf);
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << pages.bytes();
    const trace::Result<analyzer::Run> run = loadRun(path_);
    if (run) {
      EXPECT_LE(countOf(*run, table), static_cast<int64_t>(pages.bytes().size()));
    } else {
      EXPECT_NE(run.error().text.find("no room"), std::string::npos) << run.error().text;
      EXPECT_NE(run.error().text.find("nsys export"), std::string::npos) << run.error().text;
    }
  }
}

TEST_F(NsysImport, RefusesASchemaWithoutEnd) {
  const trace::Result<analyzer::Run> run =
      runOf({"CREATE TABLE StringIds (id INTEGER, value TEXT)", "PRAGMA writable_schema = 1",
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) "
             "INSERT INTO sqlite_schema SELECT 'table', 't' || i, 't' || i, 2, 'CREATE TABLE t' || "
             "i || ' (x)' FROM n"});
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().text.find("more tables than any trace has"), std::string::npos)
      << run.error().text;
}

TEST_F(NsysImport, BoundsTablesThatShareTheirPages) {
  const trace::Result<analyzer::Run> run =
      runOf({"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER)",
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
             "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY SELECT i, i + 1 FROM n",
             "PRAGMA writable_schema = 1",
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) "
             "INSERT INTO sqlite_schema SELECT 'table', 'NVTX_EVENTS_' || i, 'NVTX_EVENTS_' || i, "
             "2, 'CREATE TABLE NVTX_EVENTS_' || i || ' (start INTEGER, end INTEGER)' FROM n"});
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_LE(run->inputs.front().counts.size(), 4096U);
  const std::vector<InputLoss>& losses = run->inputs.front().losses;
  EXPECT_TRUE(std::any_of(losses.begin(), losses.end(),
                          [](const InputLoss& loss) { return loss.place == "tables"; }));
}

TEST_F(NsysImport, BoundsWhatCannotBe) {
  std::vector<std::string> statements = kSmallExport;
  statements.push_back(
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (9223372036854775807, -9223372036854775808, "
      "-1, 0, 7, 9223372036854775807, 2, 'x', NULL, 1e300)");
  const trace::Result<analyzer::Run> run = runOf(statements);
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(countOf(*run, "kern"), 2);
}

TEST_F(NsysImport, SumsTimesThatCannotBeWithinBounds) {
  std::vector<std::string> statements = kSmallExport;
  const std::string rows =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000) ";
  statements.push_back("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL " + rows +
                       "SELECT -9223372036854775808, 9223372036854775807, 5 * 0x1000000, 0, 7, 9, "
                       "2, 4, 1, 1 FROM n");
  statements.push_back("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL " + rows +
                       "SELECT 0, 2592000000000000, 5 * 0x1000000, 0, 7, 9, 2, 4, 1, 1 FROM n");
  const trace::Result<analyzer::Run> run = runOf(statements);
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(countOf(*run, "kern"), 8001);
  EXPECT_GT(countOf(*run, "kern_ns"), 0);
}

/// A table of rows that last, and how its times stand in SQL.
class NsysSpans : public NsysImport, public testing::WithParamInterface<const char*> {
 protected:
  std::string table() const { return GetParam(); }

  std::string amountsOf(const analyzer::Run& run) const {
    std::string text;
    for (const InputLoss& loss : run.inputs.front().losses) {
      if (loss.place == table()) text += loss.text + " " + std::to_string(loss.amount) + "\n";
    }
    return text;
  }

  static size_t rowsOf(const analyzer::Run& run) {
    size_t rows = 0;
    for (const Process& process : run.processes) {
      for (const trace::TableId id :
           {trace::TableId::kApi, trace::TableId::kKernel, trace::TableId::kMemcpy,
            trace::TableId::kMemset, trace::TableId::kSync, trace::TableId::kGraphLaunch,
            trace::TableId::kOp})
        rows += process.file->rowCount(id);
    }
    return rows;
  }
};

TEST_P(NsysSpans, WithoutATimeAreLeftOutAndCounted) {
  const std::string insert = "INSERT INTO " + table() + " VALUES ";
  const trace::Result<analyzer::Run> run =
      runOf({"CREATE TABLE StringIds (id INTEGER, value TEXT)",
             "CREATE TABLE " + table() + " (start, end, eventType)",
             insert + "(1, 2, 59), (NULL, 5, 59), ('x', 5, 59), (4, 'y', 59), (4.5, 5, 59)"});
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(rowsOf(*run), 1U);
  EXPECT_EQ(amountsOf(*run), "start or end is no integer 4\n");
}

TEST_P(NsysSpans, WithoutAColumnOfTimesSaySo) {
  const trace::Result<analyzer::Run> run = runOf({"CREATE TABLE StringIds (id INTEGER, value TEXT)",
                                                  "CREATE TABLE " + table() + " (start, eventType)",
                                                  "INSERT INTO " + table() + " VALUES (1, 59)"});
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(rowsOf(*run), 0U);
  EXPECT_EQ(amountsOf(*run), "no column end, so none of its rows is taken 1\n");
}

TEST_P(NsysSpans, AreTakenWhateverTheCaseOfTheirNames) {
  std::string lower = table();
  for (char& letter : lower) letter = static_cast<char>(std::tolower(letter));
  const trace::Result<analyzer::Run> run =
      runOf({"CREATE TABLE StringIds (id INTEGER, value TEXT)",
             "CREATE TABLE " + lower + " (START, End, EVENTTYPE)",
             "INSERT INTO " + lower + " VALUES (1, 2, 59)"});
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(rowsOf(*run), 1U);
  EXPECT_EQ(amountsOf(*run), "");
}

INSTANTIATE_TEST_SUITE_P(All, NsysSpans,
                         testing::Values("CUPTI_ACTIVITY_KIND_RUNTIME",
                                         "CUPTI_ACTIVITY_KIND_DRIVER", "CUPTI_ACTIVITY_KIND_KERNEL",
                                         "CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL",
                                         "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET",
                                         "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                         "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "NVTX_EVENTS"));

TEST_F(NsysImport, LeavesNothingBesideAnExportWithAWriteAheadLog) {
  std::vector<std::string> statements = kSmallExport;
  statements.insert(statements.begin(), "PRAGMA journal_mode = WAL");
  const trace::Result<analyzer::Run> made = runOf(statements);
  ASSERT_TRUE(made) << made.error().text;
  const std::filesystem::path odd = folder_ / "a ?b#%41.sqlite", packed = folder_ / "packed.gz";
  std::filesystem::copy_file(path_, odd);
  std::ifstream file(path_, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  std::ofstream(packed, std::ios::binary) << gzipped(content);
  const tests::TemporaryFolder temporary;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", temporary.path().c_str(), 1);
  for (const std::filesystem::path& each : {path_, odd, packed}) {
    const trace::Result<analyzer::Run> run = loadRun(each);
    ASSERT_TRUE(run) << run.error().text;
    EXPECT_EQ(run->kernelCount(), 1U) << each;
  }
  if (before == nullptr)
    unsetenv("TMPDIR");
  else
    setenv("TMPDIR", kept.c_str(), 1);
  EXPECT_TRUE(std::filesystem::is_empty(temporary.path()));
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    EXPECT_FALSE(entry.path().string().ends_with("-wal") || entry.path().string().ends_with("-shm"))
        << entry.path();
}

TEST_F(NsysImport, TakesInWhatOnlyTheWriteAheadLogHolds) {
  trace::Result<Database> database = Database::create(path_);
  ASSERT_TRUE(database);
  ASSERT_TRUE(database->run("CREATE TABLE StringIds (id INTEGER, value TEXT)"));
  {
    trace::Result<Statement> mode = database->prepare("PRAGMA journal_mode = WAL");
    ASSERT_TRUE(mode && mode->step());
  }
  for (size_t i = 4; i < kSmallExport.size(); ++i) ASSERT_TRUE(database->run(kSmallExport[i]));
  const trace::Result<analyzer::Run> run = loadRun(path_);  // while its writer has it open
  ASSERT_TRUE(run) << run.error().text;
  EXPECT_EQ(run->kernelCount(), 1U);
}

TEST_F(NsysImport, NamesADatabaseOfSomethingElse) {
  const trace::Result<analyzer::Run> run = runOf({"CREATE TABLE users (id INTEGER)"});
  ASSERT_FALSE(run);
  EXPECT_NE(run.error().text.find("SQLite database without"), std::string::npos)
      << run.error().text;
}

TEST_F(NsysImport, OfMutatedFilesDoesNoHarm) {
  ASSERT_TRUE(runOf(kSmallExport));
  std::ifstream file(path_, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  readMutated({bytes}, [&](const std::string& damaged) {
    std::ofstream(folder_ / "damaged", std::ios::binary) << damaged;
    const trace::Result<analyzer::Run> run = loadRun(folder_ / "damaged");
    if (run) (void)analyze(*run);
  });
}

TEST(NsysCases, HoldWhatTheManifestSays) {
  if (casesFolder().empty()) GTEST_SKIP() << "no cases: set JITSCOPE_CASES";
  size_t compared = 0;
  for (const Case& each : casesOf("nsys-sqlite")) {
    SCOPED_TRACE(each.id + " " + each.path.string());
    const trace::Result<analyzer::Run> run = loadRun(each.path);
    if (each.id == "D018") {
      ASSERT_FALSE(run);
      EXPECT_NE(run.error().text.find("malformed"), std::string::npos) << run.error().text;
      continue;
    }
    ASSERT_TRUE(run) << run.error().text;
    for (const auto& [name, amount] : each.facts) {
      ++compared;
      EXPECT_EQ(static_cast<double>(countOf(*run, name)), amount) << name;
    }
    EXPECT_EQ(static_cast<double>(run->kernelCount()), each.facts.at("kern"));
    (void)analyze(*run);
  }
  EXPECT_GE(compared, 40U);
}

TEST(NsysCases, WithoutRangesSaySo) {
  if (casesFolder().empty()) GTEST_SKIP() << "no cases: set JITSCOPE_CASES";
  for (const Case& each : casesOf("nsys-sqlite")) {
    if (each.id != "C095" && each.id != "C098") continue;
    const trace::Result<analyzer::Run> run = loadRun(each.path);
    ASSERT_TRUE(run) << run.error().text;
    const Analysis analysis = analyze(*run);
    const bool saysSo = std::any_of(
        analysis.findings.begin(), analysis.findings.end(),
        [](const Finding& finding) { return finding.id == "recording/absent_part/NVTX_EVENTS"; });
    EXPECT_EQ(saysSo, each.id == "C098") << each.id;
    EXPECT_EQ(run->opCount() > 0, each.id == "C095") << each.id;
  }
}

}  // namespace
}  // namespace jitscope::analyzer
