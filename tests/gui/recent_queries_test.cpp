#include "gui/recent_queries.h"

#include <gtest/gtest.h>

namespace jitscope::gui {
namespace {

TEST(RecentQueries, KeepsTheNewestInFront) {
  RecentQueries::add("SELECT 'a'");
  RecentQueries::add("SELECT 'b',\n2");
  EXPECT_EQ(RecentQueries::list().mid(0, 2), (QStringList{"SELECT 'b',\n2", "SELECT 'a'"}));
  RecentQueries::add("SELECT 'a'");
  EXPECT_EQ(RecentQueries::list().mid(0, 2), (QStringList{"SELECT 'a'", "SELECT 'b',\n2"}));
  EXPECT_EQ(RecentQueries::list().count("SELECT 'a'"), 1);
}

TEST(RecentQueries, KeepsNoMoreThanItIsAllowed) {
  for (int i = 0; i < RecentQueries::kMostQueries + 5; ++i)
    RecentQueries::add(QString("SELECT %1").arg(i));
  EXPECT_EQ(RecentQueries::list().size(), RecentQueries::kMostQueries);
  const QString newest = RecentQueries::list().front();
  RecentQueries::add("  \n");
  RecentQueries::add(QString(RecentQueries::kMostLetters + 1, 'x'));
  EXPECT_EQ(RecentQueries::list().front(), newest);
}

}  // namespace
}  // namespace jitscope::gui
