#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

using Cells = std::vector<int64_t>;

int64_t randomCell(std::mt19937_64& random) {
  switch (random() % 6) {
    case 0:
      return std::numeric_limits<int64_t>::min();
    case 1:
      return std::numeric_limits<int64_t>::max();
    case 2:
      return static_cast<int64_t>(random() % 7) - 3;
    case 3:  // a NaN with a payload
      return static_cast<int64_t>(0x7ff8000000000000 | random() % 1'000'000);
    case 4:
      return 1'790'000'000'000'000'000 + static_cast<int64_t>(random() % 1'000'000'000);
    default:
      return static_cast<int64_t>(random());
  }
}

/// Columns differ in kind: all the same, steps, small, anything.
Cells randomRow(const TableDescription& table, int64_t number, std::mt19937_64& random) {
  Cells cells;
  for (size_t i = 0; i < table.columns.size(); ++i) {
    switch ((i + static_cast<size_t>(table.id)) % 4) {
      case 0:
        cells.push_back(-1);
        break;
      case 1:
        cells.push_back(1000 * number + static_cast<int64_t>(random() % 900));
        break;
      case 2:
        cells.push_back(static_cast<int64_t>(
            static_cast<uint64_t>(cells.empty() ? 0 : cells.back()) + random() % 300));
        break;
      default:
        cells.push_back(randomCell(random));
    }
  }
  return cells;
}

Cells rowOf(const TraceFile& file, TableId table, size_t row) {
  Cells cells;
  for (size_t i = 0; i < knownTable(table)->columns.size(); ++i) {
    cells.push_back(file.column(table, i)[row]);
  }
  return cells;
}

class RoundTrip : public ::testing::Test {
 protected:
  std::unique_ptr<FileWriter> create() {
    Result<std::unique_ptr<FileWriter>> writer = FileWriter::create(path_);
    EXPECT_TRUE(writer) << writer.error().text;
    return std::move(*writer);
  }

  TraceFile read() const {
    Result<TraceFile> file = TraceFile::open(path_);
    EXPECT_TRUE(file) << file.error().text;
    for (const ReadLoss& loss : file->losses()) ADD_FAILURE() << loss.place << ": " << loss.text;
    return *file;
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "t.jitscope";
};

TEST_F(RoundTrip, KeepsEveryCellOfEveryTable) {
  for (const size_t count : {1u, 2u, 7u, 64u, 1000u}) {
    std::mt19937_64 random(count);
    std::map<TableId, std::vector<Cells>> written;
    const auto writer = create();
    for (const TableDescription& table : knownTables()) {
      for (size_t i = 0; i < count; ++i) {
        written[table.id].push_back(randomRow(table, static_cast<int64_t>(i), random));
        writer->write(table.id, written[table.id].back());
      }
    }
    const WriterSummary summary = writer->close();
    EXPECT_EQ(summary.rows, static_cast<int64_t>(count * knownTables().size()));
    EXPECT_EQ(summary.lost, 0);

    const TraceFile file = read();
    EXPECT_TRUE(file.isComplete());
    EXPECT_EQ(summary.bytes, static_cast<int64_t>(std::filesystem::file_size(path_)));
    for (const auto& [table, rows] : written) {
      // The writer adds a row of its own to the loss table: its overhead.
      ASSERT_EQ(file.rowCount(table), rows.size() + (table == TableId::kLoss ? 1 : 0));
      for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rowOf(file, table, i), rows[i]);
    }
  }
}

TEST_F(RoundTrip, KeepsRowsOverManyChunks) {
  constexpr size_t kRows = 200'000;
  std::mt19937_64 random(1);
  const TableDescription& table = *knownTable(TableId::kCounter);
  std::vector<Cells> written;
  const auto writer = create();
  for (size_t i = 0; i < kRows; ++i) {
    written.push_back(randomRow(table, static_cast<int64_t>(i), random));
    writer->write(table.id, written.back());
  }
  EXPECT_EQ(writer->close().lost, 0);

  const TraceFile file = read();
  ASSERT_EQ(file.rowCount(table.id), kRows);
  for (size_t i = 0; i < kRows; ++i) ASSERT_EQ(rowOf(file, table.id, i), written[i]);
}

TEST_F(RoundTrip, KeepsTexts) {
  std::vector<std::string> texts = {"", "a", std::string("\0\n\xff", 3),
                                    std::string(3'000'000, 'x')};
  std::mt19937_64 random(2);
  for (size_t i = 0; i < 70'000; ++i) texts.push_back(std::to_string(random()));
  for (char& each : texts.emplace_back(1'000'000, ' ')) each = static_cast<char>(random());

  const auto writer = create();
  std::vector<StringId> ids;
  for (const std::string& text : texts) ids.push_back(writer->intern(text));
  for (size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(writer->intern(texts[i]), ids[i]);
  writer->close();

  const TraceFile file = read();
  EXPECT_EQ(ids[0], StringId{});
  for (size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(file.text(ids[i]), texts[i]);
  EXPECT_EQ(file.text(static_cast<StringId>(file.stringCount())), "");
  EXPECT_EQ(file.text(static_cast<StringId>(4'000'000'000)), "");
}

TEST_F(RoundTrip, ReadsTypedRows) {
  const auto writer = create();
  const CounterRow row{
      .startNs = 5, .endNs = 9, .device = 1, .metric = writer->intern("dram"), .value = -0.0};
  emit(*writer, row);
  writer->close();

  const TraceFile file = read();
  const std::vector<CounterRow> rows = file.rows<CounterRow>();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].endNs, 9);
  EXPECT_EQ(file.text(rows[0].metric), "dram");
  EXPECT_EQ(std::bit_cast<int64_t>(rows[0].value), std::bit_cast<int64_t>(-0.0));
}

TEST_F(RoundTrip, KeepsTheOrderOfEachOfManyThreads) {
  constexpr int64_t kThreads = 8, kRows = 20'000;
  const auto writer = create();
  std::vector<std::thread> threads;
  for (int64_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < kRows; ++i) {
        const StringId name = writer->intern("op " + std::to_string(i % 600));
        emit(*writer, OpRow{.startNs = i, .endNs = i + 1, .thread = t, .name = name});
        if (i % 3 == 0) emit(*writer, ThreadRow{.thread = t, .name = name});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(writer->close().lost, 0);

  const TraceFile file = read();
  std::map<int64_t, int64_t> next;
  for (const OpRow& row : file.rows<OpRow>()) {
    ASSERT_EQ(row.startNs, next[row.thread]++);
    ASSERT_EQ(file.text(row.name), "op " + std::to_string(row.startNs % 600));
  }
  for (int64_t t = 0; t < kThreads; ++t) EXPECT_EQ(next[t], kRows);
  EXPECT_EQ(file.rowCount(TableId::kThread), static_cast<size_t>(kThreads * ((kRows + 2) / 3)));
}

TEST_F(RoundTrip, TakesShortAndLongRows) {
  const auto writer = create();
  writer->write(TableId::kThread, Cells{4});
  writer->write(TableId::kThread, Cells{5, 0, 99, 98, 97});
  writer->write(static_cast<TableId>(999), Cells{1});
  const WriterSummary summary = writer->close();
  EXPECT_EQ(summary.rows, 2);
  EXPECT_EQ(summary.lost, 1);

  const TraceFile file = read();
  const std::vector<ThreadRow> rows = file.rows<ThreadRow>();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].thread, 4);
  EXPECT_EQ(rows[1].thread, 5);
  const std::vector<LossRow> losses = file.rows<LossRow>();
  ASSERT_EQ(losses.size(), 2u);
  EXPECT_EQ(losses[0].amount, 1);
  EXPECT_EQ(losses[1].kind, LossKind::kOverhead);
}

TEST_F(RoundTrip, ShowsRowsAfterAFlushWhileTheFileIsOpen) {
  const auto writer = create();
  emit(*writer, ThreadRow{.thread = 1});
  writer->flush();
  const TraceFile file = read();
  EXPECT_EQ(file.rowCount(TableId::kThread), 1u);
  EXPECT_FALSE(file.isComplete());
}

TEST_F(RoundTrip, DropsWhatComesAfterClose) {
  const auto writer = create();
  EXPECT_EQ(writer->close().rows, 0);
  emit(*writer, ThreadRow{.thread = 1});
  EXPECT_EQ(writer->intern("late"), StringId{});
  writer->flush();
  EXPECT_EQ(writer->close().rows, 0);
  EXPECT_EQ(read().rowCount(TableId::kThread), 0u);
}

}  // namespace
}  // namespace jitscope::trace
