#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"
#include "tests/trace/trace_bytes.h"
#include "trace/reader.h"

namespace jitscope::trace {
namespace {

class NewerFormat : public ::testing::Test {
 protected:
  TraceFile open(const TraceBytes& trace) {
    writeBytes(path_, trace.bytes());
    Result<TraceFile> file = TraceFile::open(path_);
    EXPECT_TRUE(file) << file.error().text;
    return *file;
  }

  static TraceBytes& describe(TraceBytes& trace, const TableDescription& table) {
    return trace.chunks([&](write::Batch& batch) { batch.addDescription(table); });
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "t.jitscope";
};

TEST_F(NewerFormat, AnUnknownTableIsKeptByNameAndCounted) {
  const TableDescription quantum{static_cast<TableId>(93),
                                 "quantum",
                                 {{"time_ns", ColumnType::kInteger}, {"spin", ColumnType::kReal}}};
  TraceBytes trace;
  describe(trace, quantum).rows(quantum, {{5, 6}, {7, 8}});
  const TraceFile file = open(trace);

  ASSERT_EQ(file.tables().size(), 1u);
  EXPECT_EQ(file.tables()[0].name, "quantum");
  EXPECT_EQ(file.tables()[0].columns[1].name, "spin");
  EXPECT_EQ(file.rowCount(quantum.id), 2u);
  EXPECT_EQ(file.column(quantum.id, 1)[1], 8);
  ASSERT_EQ(file.losses().size(), 1u);
  EXPECT_EQ(file.losses()[0].kind, LossKind::kUnknown);
  EXPECT_EQ(file.losses()[0].place, "table quantum");
  EXPECT_EQ(file.losses()[0].amount, 2);
}

TEST_F(NewerFormat, AnUnknownColumnIsKeptByNameAndCounted) {
  TableDescription thread = *knownTable(TableId::kThread);
  thread.columns.push_back({"priority", ColumnType::kInteger});
  TraceBytes trace;
  describe(trace, thread).rows(thread, {{11, 0, 12}});
  const TraceFile file = open(trace);

  EXPECT_EQ(file.rows<ThreadRow>()[0].thread, 11);
  EXPECT_EQ(file.column(TableId::kThread, 2)[0], 12);
  EXPECT_EQ(file.tables()[0].columns[2].name, "priority");
  ASSERT_EQ(file.losses().size(), 1u);
  EXPECT_EQ(file.losses()[0].place, "table thread: column priority");
}

TEST_F(NewerFormat, AColumnThatAnOlderFileLacksReadsAsItsDefault) {
  TableDescription process = *knownTable(TableId::kProcess);
  process.columns.resize(3);
  TraceBytes trace;
  describe(trace, process).rows(process, {{1, 2, 3}, {4, 5, 6}});
  const TraceFile file = open(trace);

  const std::vector<ProcessRow> rows = file.rows<ProcessRow>();
  EXPECT_EQ(rows[1].startNs, 6);
  EXPECT_EQ(rows[1].worldSize, -1);
  EXPECT_TRUE(file.losses().empty());
}

TEST_F(NewerFormat, ColumnsAreFoundByNameWhateverTheirPosition) {
  const TableDescription thread{TableId::kThread,
                                "thread",
                                {{"color", ColumnType::kText},
                                 {"name", ColumnType::kText},
                                 {"thread", ColumnType::kInteger}}};
  TraceBytes trace;
  describe(trace, thread).rows(thread, {{1, 2, 3}});
  EXPECT_EQ(open(trace).rows<ThreadRow>()[0].thread, 3);
}

TEST_F(NewerFormat, ATableWhoseDescriptionWasLostReadsByTheSchema) {
  TraceBytes trace;
  trace.rows(*knownTable(TableId::kThread), {{21, 0}});
  const TableDescription nameless{static_cast<TableId>(77), "x", {{"y", ColumnType::kInteger}}};
  trace.rows(nameless, {{1}});
  const TraceFile file = open(trace);
  EXPECT_EQ(file.rows<ThreadRow>()[0].thread, 21);
  ASSERT_EQ(file.losses().size(), 1u);
  EXPECT_EQ(file.losses()[0].place, "table 77");
}

TEST_F(NewerFormat, AnUnknownKindOfChunkIsSteppedOver) {
  format::ChunkHeader chunk;
  chunk.kind = static_cast<format::ChunkKind>(9);
  chunk.payloadBytes = 4;
  chunk.rows = 3;
  chunk.payloadChecksum = format::xxhash64("abcd", 4);
  chunk.headerChecksum = format::xxhash64(&chunk, offsetof(format::ChunkHeader, headerChecksum));
  TraceBytes trace;
  trace.raw({reinterpret_cast<const char*>(&chunk), sizeof chunk}).raw("abcd");
  trace.rows(*knownTable(TableId::kThread), {{21, 0}});
  const TraceFile file = open(trace);
  EXPECT_EQ(file.rowCount(TableId::kThread), 1u);
  ASSERT_EQ(file.losses().size(), 1u);
  EXPECT_EQ(file.losses()[0].text, "unknown kind of chunk");
  EXPECT_EQ(file.losses()[0].place, "offset 64: chunk 0 (kind 9)");
}

TEST_F(NewerFormat, ALongerFileHeaderOfANewerMinorVersionIsSteppedOver) {
  format::FileHeader header;
  header.minorVersion = 7;
  header.headerBytes = 80;
  TraceBytes trace(header);
  trace.raw(std::string(16, '\x5a')).rows(*knownTable(TableId::kThread), {{21, 0}});
  const TraceFile file = open(trace);
  EXPECT_EQ(file.rowCount(TableId::kThread), 1u);
  EXPECT_TRUE(file.losses().empty());
}

}  // namespace
}  // namespace jitscope::trace
