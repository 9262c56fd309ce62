#include "gui/models/finding_list.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>

namespace jitscope::gui {
namespace {

std::shared_ptr<const Findings> twoFindings() {
  auto findings = std::make_shared<Findings>();
  findings->list.push_back({"3 breaks",
                            "412 µs",
                            "model.cpp:41",
                            "a value is read",
                            "use where()",
                            Category::kBreak,
                            17,
                            {}});
  findings->list.push_back({"1 recompile", "1.42 s", {}, {}, {}, Category::kRecompile, {}, {}});
  return findings;
}

TEST(FindingList, HoldsWhatModelsMustHold) {
  FindingList list;
  const QAbstractItemModelTester tester(&list,
                                        QAbstractItemModelTester::FailureReportingMode::Fatal);
  EXPECT_EQ(list.rowCount(), 0);
  list.reset(twoFindings());
  EXPECT_EQ(list.rowCount(), 2);
  list.reset(nullptr);
  EXPECT_EQ(list.rowCount(), 0);
}

TEST(FindingList, GivesTitleCostPlaceAndCategory) {
  FindingList list;
  list.reset(twoFindings());
  const QModelIndex first = list.index(0);
  EXPECT_EQ(first.data().toString(), "3 breaks");
  EXPECT_EQ(first.data(FindingList::kCostRole).toString(), "412 µs");
  EXPECT_EQ(first.data(FindingList::kPlaceRole).toString(), "model.cpp:41");
  EXPECT_EQ(first.data(FindingList::kCauseRole).toString(), "a value is read");
  EXPECT_EQ(first.data(FindingList::kFixRole).toString(), "use where()");
  EXPECT_EQ(first.data(FindingList::kCategoryRole).toInt(), static_cast<int>(Category::kBreak));
  EXPECT_EQ(list.finding(1).title, "1 recompile");
}

}  // namespace
}  // namespace jitscope::gui
