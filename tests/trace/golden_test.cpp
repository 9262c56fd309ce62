#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "tests/trace/fuzz_reader.h"
#include "tests/trace/trace_bytes.h"
#include "trace/reader.h"
#include "trace/write/batch.h"

/// Files of format version 1, kept as they were first written: what the reader makes of them must
/// never change. UPDATE_GOLDEN=1 writes them again; that is right only before a version is
/// released.
namespace jitscope::trace {
namespace {

const std::filesystem::path kFolder = JITSCOPE_GOLDEN_TRACES;

format::FileHeader fixedHeader() {
  format::FileHeader header;
  for (size_t i = 0; i < header.uuid.size(); ++i) header.uuid[i] = static_cast<uint8_t>(0xa0 + i);
  header.pid = 4711;
  header.createdNs = 1'790'000'000'000'000'000;
  return header;
}

/// The file that FORMAT.md takes apart byte by byte.
std::string makeTiny() {
  TraceBytes trace(fixedHeader());
  const TableDescription& thread = *knownTable(TableId::kThread);
  trace.chunks([&](write::Batch& batch) {
    batch.addDescription(thread);
    batch.addTexts({1, {4, 6}, "mainworker"});
    write::RowGatherer rows(thread);
    rows.add(std::vector<int64_t>{4711, 1});
    rows.add(std::vector<int64_t>{5000, 2});
    rows.add(std::vector<int64_t>{4713, 2});
    batch.addRows(rows);
    std::vector<write::ChunkExtent> index = batch.chunks();
    for (write::ChunkExtent& chunk : index) chunk.offset += sizeof(format::FileHeader);
    const auto indexOffset =
        static_cast<int64_t>(sizeof(format::FileHeader) + batch.bytes().size());
    batch.addIndex(index);
    batch.addTrailer(indexOffset);
  });
  return trace.bytes();
}

/// Row `number` of a table: each column steps, jitters, repeats or stays in a way of its own.
std::vector<int64_t> makeRow(const TableDescription& table, int64_t number) {
  std::vector<int64_t> cells;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const auto column = static_cast<int64_t>(i);
    if (table.columns[i].type == ColumnType::kText) {
      cells.push_back(1 + (number * 7 + column) % 50);
    } else if (table.columns[i].type == ColumnType::kReal) {
      cells.push_back(toCell(0.125 * static_cast<double>(number * number) - 3));
    } else if (table.columns[i].name == "start_ns" || table.columns[i].name == "time_ns") {
      cells.push_back(1'790'000'000'000'000'000 + number * 12'345 + number * number % 777);
    } else if (table.columns[i].name == "end_ns") {
      cells.push_back(cells.back() + 500 + number * 31 % 97);
    } else {
      cells.push_back(column % 3 == 0 ? -1 : number * number * (column - 4) % 1009);
    }
  }
  return cells;
}

/// All tables, every encoding, planes stored and compressed, two dictionaries; no index, as after a
/// kill.
std::string makeAllTables() {
  TraceBytes trace(fixedHeader());
  for (uint32_t first : {1u, 26u}) {
    trace.chunks([&](write::Batch& batch) {
      write::TextPiece piece{first, {}, ""};
      for (uint32_t id = first; id < first + 25; ++id) {
        const std::string text(id, static_cast<char>('A' + id % 26));
        piece.lengths.push_back(static_cast<int64_t>(text.size()));
        piece.bytes += text;
      }
      batch.addTexts(piece);
    });
  }
  for (const TableDescription& table : knownTables()) {
    const int64_t count = table.id == TableId::kOp || table.id == TableId::kKernel ? 700 : 12;
    trace.chunks([&](write::Batch& batch) {
      batch.addDescription(table);
      write::RowGatherer rows(table);
      for (int64_t i = 0; i < count; ++i) rows.add(makeRow(table, i));
      batch.addRows(rows);
    });
  }
  return trace.bytes();
}

TraceFile openGolden(const char* name, const std::string& made) {
  const std::filesystem::path path = kFolder / name;
  if (std::getenv("UPDATE_GOLDEN") != nullptr) writeBytes(path, made);
  Result<TraceFile> file = TraceFile::open(path);
  EXPECT_TRUE(file) << file.error().text;
  for (const ReadLoss& loss : file->losses()) ADD_FAILURE() << loss.place << ": " << loss.text;
  return *file;
}

TEST(Golden, TheTinyFileOfTheSpecificationReadsAsItSays) {
  const TraceFile file = openGolden("tiny_v1.jitscope", makeTiny());
  EXPECT_TRUE(file.isComplete());
  const std::vector<ThreadRow> rows = file.rows<ThreadRow>();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].thread, 4711);
  EXPECT_EQ(rows[1].thread, 5000);
  EXPECT_EQ(rows[2].thread, 4713);
  EXPECT_EQ(file.text(rows[0].name), "main");
  EXPECT_EQ(file.text(rows[1].name), "worker");
  EXPECT_EQ(file.text(rows[2].name), "worker");
}

TEST(Golden, AFileWithAllTablesOfVersionOneStaysReadable) {
  const TraceFile file = openGolden("all_tables_v1.jitscope", makeAllTables());
  EXPECT_FALSE(file.isComplete());
  for (const TableDescription& table : file.tables()) {
    for (size_t row = 0; row < file.rowCount(table.id); ++row) {
      const std::vector<int64_t> expected = makeRow(table, static_cast<int64_t>(row));
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(file.column(table.id, i)[row], expected[i]) << table.name << " " << i;
      }
    }
  }
  EXPECT_EQ(file.tables().size(), 21u);
  EXPECT_EQ(file.rowCount(TableId::kOp), 700u);
  EXPECT_EQ(file.text(StringId{28}), std::string(28, 'C'));
}

TEST(Golden, InputsThatTheFuzzerKeptAreReadWithoutHarm) {
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder / "fuzz" / "reader")) {
    const std::string bytes = readBytes(entry.path());
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    ++count;
  }
  EXPECT_GT(count, 0u);
}

}  // namespace
}  // namespace jitscope::trace
