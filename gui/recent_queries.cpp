#include "gui/recent_queries.h"

#include "gui/settings.h"

namespace jitscope::gui {
namespace {

constexpr const char* kQueriesKey = "queries";

}  // namespace

QStringList RecentQueries::list() { return userSettings().value(kQueriesKey).toStringList(); }

void RecentQueries::add(const QString& query) {
  if (query.trimmed().isEmpty() || query.size() > kMostLetters) return;
  QStringList queries = list();
  queries.removeAll(query);
  queries.prepend(query);
  userSettings().setValue(kQueriesKey, QStringList(queries.mid(0, kMostQueries)));
}

}  // namespace jitscope::gui
