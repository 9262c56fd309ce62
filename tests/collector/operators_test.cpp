// The rows of LibTorch's operators in a recording.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/collector/recording_test.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

using trace::OpRow;
using trace::ProcessRow;
using trace::Recording;
using trace::TraceFile;

class Operators : public RecordingTest {
 protected:
  static std::optional<OpRow> find(const TraceFile& file, std::string_view name,
                                   std::string_view shapes) {
    for (const OpRow& row : file.rows<OpRow>()) {
      if (file.text(row.name) == name && file.text(row.shapes) == shapes) return row;
    }
    return std::nullopt;
  }
};

TEST_F(Operators, HaveNamesAndShapes) {
  const Recording recording = recordProgram({OPERATORS_PROGRAM});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "refused\n");
  ASSERT_EQ(recording.files.size(), 1u) << run.errors;
  const TraceFile& file = recording.files[0];
  EXPECT_TRUE(find(file, "aten::matmul", "[4, 16], [16, 8]"));
  EXPECT_TRUE(find(file, "aten::cat", "[[4, 16], [4, 16]]"));
  EXPECT_TRUE(find(file, "aten::add", "[2, 3], []"));
  EXPECT_TRUE(find(file, "aten::add", "[], []"));
  EXPECT_TRUE(find(file, "request", ""));
  EXPECT_TRUE(file.text(file.rows<ProcessRow>()[0].torchVersion).starts_with("2."));
}

TEST_F(Operators, LieWithinTheOperatorThatCalledThem) {
  const Recording recording = recordProgram({OPERATORS_PROGRAM});
  ASSERT_EQ(recording.files.size(), 1u);
  std::map<int64_t, std::vector<OpRow>> open;
  std::vector<OpRow> rows = recording.files[0].rows<OpRow>();
  std::stable_sort(rows.begin(), rows.end(), [](const OpRow& a, const OpRow& b) {
    return std::tie(a.thread, a.startNs, a.depth) < std::tie(b.thread, b.startNs, b.depth);
  });
  for (const OpRow& row : rows) {
    ASSERT_LE(row.startNs, row.endNs);
    std::vector<OpRow>& stack = open[row.thread];
    ASSERT_LE(static_cast<size_t>(row.depth), stack.size());
    stack.resize(static_cast<size_t>(row.depth));
    if (!stack.empty()) {
      EXPECT_GE(row.startNs, stack.back().startNs);
      EXPECT_LE(row.endNs, stack.back().endNs);
    }
    stack.push_back(row);
  }
}

TEST_F(Operators, ComeBackToTheOutermostLevelAfterAnException) {
  const Recording recording = recordProgram({OPERATORS_PROGRAM});
  ASSERT_EQ(recording.files.size(), 1u);
  const auto refused = find(recording.files[0], "aten::matmul", "[2, 3], [2, 3]");
  const auto afterwards = find(recording.files[0], "aten::add", "[]");
  ASSERT_TRUE(refused && afterwards);
  EXPECT_EQ(refused->depth, 0);
  EXPECT_EQ(afterwards->depth, 0);
}

TEST_F(Operators, OfTheBackwardPassNameTheirForward) {
  const Recording recording = recordProgram({OPERATORS_PROGRAM});
  ASSERT_EQ(recording.files.size(), 1u);
  const TraceFile& file = recording.files[0];
  const auto forward = find(file, "aten::mm", "[4, 16], [16, 8]");
  const auto backward = find(file, "MmBackward0", "[4, 8]");
  ASSERT_TRUE(forward && backward);
  EXPECT_EQ(forward->isBackward, 0);
  EXPECT_EQ(backward->isBackward, 1);
  EXPECT_EQ(backward->sequence, forward->sequence);
  EXPECT_EQ(backward->forwardThread, forward->thread);
}

TEST_F(Operators, BelongToTheirThreads) {
  const Recording recording = recordProgram({OPERATORS_PROGRAM});
  ASSERT_EQ(recording.files.size(), 1u);
  const TraceFile& file = recording.files[0];
  const auto onMain = find(file, "aten::matmul", "[4, 16], [16, 8]");
  const auto onOther = find(file, "aten::add", "[2, 3], []");
  ASSERT_TRUE(onMain && onOther);
  EXPECT_EQ(onMain->thread, file.rows<ProcessRow>()[0].pid);
  EXPECT_NE(onOther->thread, onMain->thread);
  std::set<int64_t> described;
  for (const trace::ThreadRow& row : file.rows<trace::ThreadRow>()) described.insert(row.thread);
  EXPECT_TRUE(described.count(onMain->thread));
  EXPECT_TRUE(described.count(onOther->thread));
}

TEST_F(Operators, OfAForkedChildAreInItsOwnFileWithTheRightNames) {
  Recording recording = recordProgram({OPERATORS_PROGRAM, "fork"});
  ASSERT_EQ(recording.files.size(), 2u) << run.errors;
  std::sort(recording.files.begin(), recording.files.end(), [](const auto& a, const auto& b) {
    return a.rowCount(OpRow::kTable) < b.rowCount(OpRow::kTable);
  });
  const TraceFile& parent = recording.files[0];
  const TraceFile& child = recording.files[1];
  EXPECT_TRUE(find(parent, "aten::add", "[7], []"));
  EXPECT_FALSE(find(parent, "aten::matmul", "[4, 16], [16, 8]"));
  const auto inChild = find(child, "aten::matmul", "[4, 16], [16, 8]");
  ASSERT_TRUE(inChild);
  EXPECT_EQ(inChild->thread, child.rows<ProcessRow>()[0].pid);
}

TEST_F(Operators, CostIsStatedInTheTrace) {
  const Recording recording = recordProgram({OPERATORS_PROGRAM});
  ASSERT_EQ(recording.files.size(), 1u);
  const TraceFile& file = recording.files[0];
  const auto losses = file.rows<trace::LossRow>();
  EXPECT_TRUE(std::any_of(losses.begin(), losses.end(), [&](const trace::LossRow& loss) {
    return loss.kind == trace::LossKind::kOverhead && file.text(loss.place) == "operators" &&
           loss.amount > 0;
  }));
}

TEST_F(Operators, OfAnotherVersionAreNotRecordedAndTheTraceSaysWhy) {
  const Recording recording = recordProgram(
      {GUEST_PROGRAM, "open", FAKE_C10, "open", FAKE_TORCH, "rows", "20", "print", "alive"});
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.output, "alive\n");
  ASSERT_EQ(recording.files.size(), 1u);
  const TraceFile& file = recording.files[0];
  EXPECT_EQ(file.rowCount(OpRow::kTable), 20u);
  EXPECT_EQ(file.text(file.rows<ProcessRow>()[0].torchVersion), "2.99.0+fake");
  ASSERT_FALSE(file.rows<trace::LossRow>().empty());
  EXPECT_NE(file.text(file.rows<trace::LossRow>()[0].text).find("this program runs 2.99"),
            std::string_view::npos)
      << run.errors;
}

}  // namespace
}  // namespace jitscope::collector
