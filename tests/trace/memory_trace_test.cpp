#include "trace/memory_trace.h"

#include <gtest/gtest.h>

#include <string>

#include "trace/column_index.h"

namespace jitscope::trace {
namespace {

TEST(MemoryTrace, GivesBackWhatWasWritten) {
  MemoryTrace trace;
  const StringId name = trace.intern("aten::mm");
  EXPECT_EQ(trace.intern("aten::mm"), name);
  EXPECT_NE(trace.intern("aten::add"), name);
  EXPECT_EQ(trace.intern(""), StringId{});
  emit(trace, OpRow{.startNs = 10, .endNs = 20, .thread = 7, .name = name});
  emit(trace, OpRow{.startNs = 30, .endNs = 45, .thread = 7, .depth = 2, .name = name});
  emit(trace, CounterRow{.startNs = 5, .value = 0.25});
  const TraceFile file = std::move(trace).finish("some/path", {}, true);
  EXPECT_EQ(file.path(), "some/path");
  EXPECT_TRUE(file.isComplete());
  const std::vector<OpRow> ops = file.rows<OpRow>();
  ASSERT_EQ(ops.size(), 2U);
  EXPECT_EQ(ops[1].startNs, 30);
  EXPECT_EQ(ops[1].depth, 2);
  EXPECT_EQ(ops[0].sequence, -1);
  EXPECT_EQ(file.text(ops[1].name), "aten::mm");
  EXPECT_EQ(file.rows<CounterRow>().front().value, 0.25);
  EXPECT_EQ(file.rowCount(TableId::kKernel), 0U);
  EXPECT_TRUE(file.column(TableId::kKernel, 0).empty());
  ASSERT_EQ(file.tables().size(), 2U);
  EXPECT_EQ(file.tables()[0].name, "op");
}

TEST(MemoryTrace, KeepsColumnsThatChangeLate) {
  MemoryTrace trace;
  constexpr int64_t kRows = 5000;
  for (int64_t i = 0; i < kRows; ++i) {
    emit(trace,
         ApiRow{.startNs = i, .endNs = i + 1, .thread = 3, .status = i == kRows - 1 ? 9 : 0});
  }
  const TraceFile file = std::move(trace).finish("", {}, true);
  const std::vector<ApiRow> rows = file.rows<ApiRow>();
  ASSERT_EQ(rows.size(), static_cast<size_t>(kRows));
  for (int64_t i = 0; i < kRows; ++i) {
    const ApiRow& row = rows[static_cast<size_t>(i)];
    ASSERT_EQ(row.startNs, i);
    ASSERT_EQ(row.thread, 3);
    ASSERT_EQ(row.status, i == kRows - 1 ? 9 : 0);
  }
}

TEST(MemoryTrace, KeepsManyTextsApart) {
  MemoryTrace trace;
  std::vector<StringId> ids;
  for (int i = 0; i < 20'000; ++i) ids.push_back(trace.intern("text " + std::to_string(i)));
  const std::string longText(1 << 20, 'x');
  ids.push_back(trace.intern(longText));
  const TraceFile file = std::move(trace).finish("", {}, true);
  EXPECT_EQ(file.stringCount(), ids.size() + 1);
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(file.text(ids[static_cast<size_t>(i)]), "text " + std::to_string(i));
  }
  EXPECT_EQ(file.text(ids.back()), longText);
  EXPECT_EQ(file.text(StringId{4'000'000}), "");
}

TEST(MemoryTrace, LetsCellsBeAmended) {
  MemoryTrace trace;
  emit(trace, OpRow{.startNs = 10, .endNs = 20});
  emit(trace, OpRow{.startNs = 10, .endNs = 20});
  trace.cells(TableId::kOp, columnIndex<&OpRow::depth, OpRow>())[1] = 4;
  trace.shiftTimes(1000);
  const std::vector<OpRow> ops = std::move(trace).finish("", {}, true).rows<OpRow>();
  EXPECT_EQ(ops[0].depth, 0);
  EXPECT_EQ(ops[1].depth, 4);
  EXPECT_EQ(ops[0].startNs, 1010);
  EXPECT_EQ(ops[1].endNs, 1020);
}

TEST(MemoryTrace, CountsWhatItCannotKeep) {
  MemoryTrace trace;
  const int64_t cells[] = {1, 2, 3};
  trace.write(TableId{9999}, cells);
  const TraceFile file =
      std::move(trace).finish("", {{LossKind::kDropped, "line 3", "cut short", 1}}, false);
  EXPECT_FALSE(file.isComplete());
  ASSERT_EQ(file.losses().size(), 2U);
  EXPECT_EQ(file.losses()[0].place, "line 3");
  EXPECT_EQ(file.losses()[1].amount, 1);
}

}  // namespace
}  // namespace jitscope::trace
