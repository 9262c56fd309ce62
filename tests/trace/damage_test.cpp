#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "tests/support/temporary_folder.h"
#include "tests/trace/memory_file.h"
#include "tests/trace/trace_bytes.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

using Cells = std::vector<int64_t>;

constexpr int64_t kRows = 8;  ///< of each table between two flushes

std::vector<Cells> rowsOf(const TraceFile& file, TableId table) {
  std::vector<Cells> rows(file.rowCount(table));
  for (size_t i = 0; i < knownTable(table)->columns.size(); ++i) {
    const std::span<const int64_t> cells = file.column(table, i);
    for (size_t row = 0; row < rows.size(); ++row) rows[row].push_back(cells[row]);
  }
  return rows;
}

class Damage : public ::testing::Test {
 protected:
  /// A small file with several flushes, so that it has chunks of all kinds in front of others.
  std::string writeSmallFile() {
    const auto writer = std::move(*FileWriter::create(path_));
    for (int64_t flush = 0; flush < 2; ++flush) {
      for (int64_t i = 0; i < kRows; ++i) {
        const StringId name = writer->intern("op " + std::to_string(flush * kRows / 2 + i));
        emit(*writer, OpRow{.startNs = 1000 * i + flush, .endNs = 1000 * i + 77, .name = name});
        emit(*writer, CounterRow{.startNs = i * i, .metric = name, .value = 0.25 * i});
      }
      writer->flush();
    }
    writer->close();
    return readBytes(path_);
  }

  Result<TraceFile> open(std::string_view bytes) {
    return TraceFile::open(MemoryFile(bytes).path());
  }

  std::string errorOf(std::string_view bytes) {
    const MemoryFile memory(bytes);
    const Result<TraceFile> file = TraceFile::open(memory.path());
    return file ? "no error" : file.error().text.substr(memory.path().string().size());
  }

  tests::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "t.jitscope";
};

TEST_F(Damage, CutAnywhereLeavesThePartBefore) {
  const std::string whole = writeSmallFile();
  const TraceFile original = *TraceFile::open(path_);
  const auto ops = rowsOf(original, TableId::kOp);
  size_t quietCuts = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    const Result<TraceFile> file = open(std::string_view(whole).substr(0, size));
    if (size < 64) {
      ASSERT_FALSE(file);
      continue;
    }
    ASSERT_TRUE(file) << file.error().text;
    EXPECT_FALSE(file->isComplete());
    quietCuts += file->losses().empty();
    const auto left = rowsOf(*file, TableId::kOp);
    ASSERT_LE(left.size(), ops.size());
    ASSERT_TRUE(std::equal(left.begin(), left.end(), ops.begin())) << size;
    for (const OpRow& row : file->rows<OpRow>()) ASSERT_NE(file->text(row.name), "");
  }
  // Only a cut between two chunks looks like a writer that has come so far.
  size_t chunks = 0;
  for (size_t at = whole.find("\x93"
                              "chunk");
       at != whole.npos; at = whole.find("\x93"
                                         "chunk",
                                         at + 1)) {
    ++chunks;
  }
  EXPECT_EQ(quietCuts, chunks + 1);
}

TEST_F(Damage, FlippedBitsAreNoticedAndTheRestIsRead) {
  const std::string whole = writeSmallFile();
  const TraceFile original = *TraceFile::open(path_);
  std::map<TableId, std::set<Cells>> rows;
  for (const TableId table : {TableId::kOp, TableId::kCounter}) {
    for (const Cells& row : rowsOf(original, table)) rows[table].insert(row);
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1 << at % 8);
    const Result<TraceFile> file = open(damaged);
    if (!file) {
      EXPECT_LT(at, 8u) << file.error().text;
      continue;
    }
    ASSERT_FALSE(file->losses().empty()) << at;
    for (const auto& [table, known] : rows) {
      EXPECT_GE(file->rowCount(table) + kRows, 2u * kRows)
          << "more than one chunk was lost at " << at;
      for (const Cells& row : rowsOf(*file, table)) ASSERT_TRUE(known.contains(row)) << at;
    }
  }
}

TEST_F(Damage, ManyFlippedBytesNeverMakeRowsUp) {
  const std::string whole = writeSmallFile();
  const TraceFile original = *TraceFile::open(path_);
  std::set<Cells> known;
  for (const Cells& row : rowsOf(original, TableId::kOp)) known.insert(row);
  std::mt19937_64 random(5);
  for (int round = 0; round < 500; ++round) {
    std::string damaged = whole;
    for (size_t i = random() % 20 + 1; i > 0; --i) {
      damaged[8 + random() % (damaged.size() - 8)] = static_cast<char>(random());
    }
    if (round % 3 == 0) damaged.erase(64 + random() % (damaged.size() - 64), random() % 200);
    const Result<TraceFile> file = open(damaged);
    ASSERT_TRUE(file);
    for (const Cells& row : rowsOf(*file, TableId::kOp)) ASSERT_TRUE(known.contains(row));
  }
}

TEST_F(Damage, LostRowsAreCountedExactlyWithTheHelpOfTheIndex) {
  const std::string whole = writeSmallFile();
  std::map<std::string, int64_t> counted;
  for (size_t at = whole.find("\x93"
                              "chunk");
       at != whole.npos; at = whole.find("\x93"
                                         "chunk",
                                         at + 1)) {
    std::string damaged = whole;
    damaged[at + 20] ^= 1;  // within the chunk's header: its own row count cannot be trusted
    const TraceFile file = *open(damaged);
    ASSERT_EQ(file.losses().size(), 1u);
    const ReadLoss& loss = file.losses()[0];
    if (loss.place.find("(op)") != std::string::npos) {
      EXPECT_EQ(loss.amount, kRows);
      EXPECT_EQ(file.rowCount(TableId::kOp), size_t{kRows});
      ++counted["op"];
    }
  }
  EXPECT_EQ(counted["op"], 2);
}

TEST_F(Damage, SaysWhatStandsInTheWay) {
  EXPECT_EQ(errorOf(""), ": not a trace: the file is empty");
  EXPECT_EQ(errorOf("{\"traceEvents\": []}"), ": not a trace: no JITSCOPE at offset 0");
  EXPECT_EQ(errorOf("JITSCO"), ": cut short: file header at offset 6");
  format::FileHeader header;
  header.majorVersion = 2;
  EXPECT_EQ(errorOf(TraceBytes(header).bytes()),
            ": format version 2 cannot be read by this jitscope, which reads 1: offset 8");
  header = {};
  header.byteOrder = 0x04030201;
  EXPECT_EQ(errorOf(TraceBytes(header).bytes()), ": byte order is not little-endian: offset 12");

  const std::string folder = folder_.path().string();
  EXPECT_EQ(TraceFile::open(folder).error().text, folder + ": cannot be read: is a folder");
  EXPECT_EQ(TraceFile::open(folder + "/absent").error().text,
            folder + "/absent: cannot be opened: no such file or directory");
}

TEST_F(Damage, SaysThatAFileMayNotBeRead) {
  writeSmallFile();
  std::filesystem::permissions(path_, std::filesystem::perms::none);
  std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
  const uid_t user = geteuid();
  if (user == 0) {
    ASSERT_EQ(seteuid(65534), 0);
  }
  const Result<TraceFile> file = TraceFile::open(path_);
  if (user == 0) {
    ASSERT_EQ(seteuid(0), 0);
  }
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().text, path_.string() + ": cannot be opened: permission denied");
}

TEST_F(Damage, AFolderIsReadAsOneRecordingAndSaysWhichFilesAreBad) {
  const std::string folder = folder_.path().string();
  EXPECT_EQ(Recording::open(folder).error().text,
            folder + ": nothing to read: no *.jitscope in this folder");

  const std::string whole = writeSmallFile();
  writeBytes(folder_.path() / "b.jitscope", "nonsense");
  writeBytes(folder_.path() / "a.jitscope", whole);
  writeBytes(folder_.path() / "notes.txt", "nonsense");
  const Result<Recording> recording = Recording::open(folder);
  ASSERT_TRUE(recording);
  ASSERT_EQ(recording->files.size(), 2u);
  EXPECT_EQ(recording->files[0].path().filename(), "a.jitscope");
  EXPECT_EQ(recording->problems,
            std::vector<std::string>{folder + "/b.jitscope: not a trace: no JITSCOPE at offset 0"});

  std::filesystem::remove(path_);
  std::filesystem::remove(folder_.path() / "a.jitscope");
  EXPECT_EQ(Recording::open(folder).error().text,
            folder + "/b.jitscope: not a trace: no JITSCOPE at offset 0");
}

TEST_F(Damage, ADamagedFileHeaderDoesNotHideTheChunks) {
  std::string whole = writeSmallFile();
  whole[30] ^= 4;
  const TraceFile file = *open(whole);
  EXPECT_EQ(file.rowCount(TableId::kOp), size_t{2 * kRows});
  ASSERT_EQ(file.losses().size(), 1u);
  EXPECT_EQ(file.losses()[0].text, "file header: bad checksum");
}

}  // namespace
}  // namespace jitscope::trace
