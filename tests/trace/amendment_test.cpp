// A finished trace file that is changed afterwards.
#include "trace/amendment.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "trace/column_index.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::trace {
namespace {

constexpr size_t kRead = columnIndex<&KernelRow::bytesRead, KernelRow>();

class Amend : public testing::Test {
 protected:
  /// A file of so many kernels, an operator between each two, and a loss if wanted.
  void write(int64_t kernels, bool hasLoss) {
    auto writer = FileWriter::create(path);
    ASSERT_TRUE(writer) << writer.error().text;
    const StringId name = (*writer)->intern("kernel");
    for (int64_t i = 0; i < kernels; ++i) {
      emit(**writer, KernelRow{.startNs = i, .endNs = i + 1, .name = name});
      emit(**writer, OpRow{.startNs = i, .endNs = i + 2, .name = (*writer)->intern("op")});
    }
    if (hasLoss) emit(**writer, LossRow{.timeNs = 1, .text = (*writer)->intern("before")});
    (*writer)->close();
  }

  static Amendment counted(int64_t kernels) {
    Amendment amendment{.table = TableId::kKernel, .columns = {}, .missing = {}};
    for (int64_t i = 0; i < kernels; ++i) amendment.columns[kRead].push_back(10 * i);
    return amendment;
  }

  std::string bytes() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static std::vector<std::string> losses(const TraceFile& file) {
    std::vector<std::string> texts;
    for (const LossRow& row : file.rows<LossRow>()) {
      if (row.kind != LossKind::kOverhead) texts.emplace_back(file.text(row.text));
    }
    return texts;
  }

  tests::TemporaryFolder folder;
  std::filesystem::path path = std::filesystem::path(folder / "run.jitscope");
};

TEST_F(Amend, ReplacesOneColumnAndKeepsAllElse) {
  constexpr int64_t kKernels = 70'000;  // of several chunks
  write(kKernels, false);
  const auto before = TraceFile::open(path);
  ASSERT_TRUE(before);
  const auto amended = amend(path, counted(kKernels));
  ASSERT_TRUE(amended) << amended.error().text;
  const auto after = TraceFile::open(path);
  ASSERT_TRUE(after) << after.error().text;
  EXPECT_TRUE(after->isComplete());
  EXPECT_TRUE(after->losses().empty());
  for (const TableDescription& table : before->tables()) {
    ASSERT_EQ(after->rowCount(table.id), before->rowCount(table.id)) << table.name;
    for (size_t i = 0; i < table.columns.size(); ++i) {
      const auto old = before->column(table.id, i);
      const auto now = after->column(table.id, i);
      if (table.id == TableId::kKernel && i == kRead) continue;
      EXPECT_TRUE(std::equal(old.begin(), old.end(), now.begin())) << table.columns[i].name;
    }
  }
  EXPECT_EQ(after->column(TableId::kKernel, kRead)[kKernels - 1], 10 * (kKernels - 1));
  EXPECT_EQ(after->text(after->rows<KernelRow>()[5].name), "kernel");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
}

TEST_F(Amend, AddsWhatIsMissing) {
  for (const bool hasLoss : {false, true}) {
    write(3, hasLoss);
    Amendment amendment = counted(3);
    amendment.missing = {{"GPU", "one"}, {"GPU", "two"}};
    ASSERT_TRUE(amend(path, amendment));
    const auto after = TraceFile::open(path);
    ASSERT_TRUE(after);
    EXPECT_TRUE(after->losses().empty());
    EXPECT_EQ(losses(*after), hasLoss ? (std::vector<std::string>{"before", "one", "two"})
                                      : (std::vector<std::string>{"one", "two"}));
  }
}

TEST_F(Amend, CanBeDoneAgain) {
  write(3, false);
  ASSERT_TRUE(amend(path, counted(3)));
  ASSERT_TRUE(amend(path, counted(3)));
  EXPECT_EQ(TraceFile::open(path)->rowCount(TableId::kKernel), 3U);
}

TEST_F(Amend, LeavesAFileAloneThatIsNotWhole) {
  write(100, false);
  const std::string whole = bytes();
  std::string damaged = whole;
  damaged[whole.size() / 2] ^= 1;
  const std::string broken[] = {whole.substr(0, whole.size() - 16), damaged};
  for (const std::string& content : broken) {
    std::ofstream(path, std::ios::binary) << content;
    EXPECT_FALSE(amend(path, counted(100)));
    EXPECT_EQ(bytes(), content);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(path.parent_path()), {}), 1);
  }
}

TEST_F(Amend, RefusesAnotherNumberOfRows) {
  write(3, false);
  const auto refused = amend(path, counted(2));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text.find("other rows than cells"), std::string::npos);
  EXPECT_FALSE(amend(folder / "absent.jitscope", counted(1)));
}

}  // namespace
}  // namespace jitscope::trace
