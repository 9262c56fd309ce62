#include "gui/models/sql_words.h"

#include <QRegularExpression>
#include <algorithm>

namespace jitscope::gui {
namespace {

const QStringList& wordsOfSql() {
  static const QStringList kWords{
      "SELECT",    "FROM",      "WHERE",   "GROUP BY",     "ORDER BY", "LIMIT",     "HAVING",
      "JOIN",      "LEFT JOIN", "ON",      "USING",        "AS",       "AND",       "OR",
      "NOT",       "IN",        "IS NULL", "LIKE",         "GLOB",     "BETWEEN",   "CASE",
      "WHEN",      "THEN",      "ELSE",    "END",          "DESC",     "ASC",       "DISTINCT",
      "UNION ALL", "WITH",      "OVER",    "PARTITION BY", "count(",   "sum(",      "avg(",
      "min(",      "max(",      "total(",  "round(",       "abs(",     "coalesce(", "length(",
      "lower(",    "upper(",    "substr(", "replace(",     "printf("};
  return kWords;
}

bool isOfWord(QChar character) { return character.isLetterOrNumber() || character == u'_'; }

const SqlTable* tableOf(const std::vector<SqlTable>& tables, const QString& name) {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const SqlTable& table) {
    return table.name.compare(name, Qt::CaseInsensitive) == 0;
  });
  return found == tables.end() ? nullptr : &*found;
}

/// A table that a query names, and what it calls it.
struct Named {
  const SqlTable* table = nullptr;
  QString alias;
};

std::vector<Named> namedTables(const std::vector<SqlTable>& tables, const QString& text) {
  static const QRegularExpression kSource(R"(\b(?:FROM|JOIN)\s+(\w+)(?:\s+(?:AS\s+)?(\w+))?)",
                                          QRegularExpression::CaseInsensitiveOption);
  std::vector<Named> named;
  for (auto found = kSource.globalMatch(text); found.hasNext();) {
    const QRegularExpressionMatch match = found.next();
    if (const SqlTable* table = tableOf(tables, match.captured(1)))
      named.push_back({table, match.captured(2)});
  }
  return named;
}

/// Adds those of `words` that begin with `start` and are more than it.
void addStarting(const QString& start, const QStringList& words, QStringList& found) {
  for (const QString& word : words) {
    const bool goesOn = word.size() > start.size() && word.startsWith(start, Qt::CaseInsensitive);
    if (goesOn && !found.contains(word)) found << word;
  }
}

QStringList namesOf(const std::vector<SqlTable>& tables) {
  QStringList names;
  for (const SqlTable& table : tables) names << table.name;
  return names;
}

}  // namespace

QString sqlWordBefore(const QString& text, qsizetype position) {
  qsizetype from = std::min(position, text.size());
  while (from > 0 && isOfWord(text[from - 1])) --from;
  return text.mid(from, position - from);
}

QStringList sqlCompletions(const std::vector<SqlTable>& tables, const QString& text,
                           qsizetype position) {
  const QString word = sqlWordBefore(text, position);
  const QString front = text.left(position - word.size());
  const std::vector<Named> named = namedTables(tables, text);
  QStringList found;
  if (front.endsWith('.')) {
    const QString owner = sqlWordBefore(front, front.size() - 1);
    const SqlTable* table = tableOf(tables, owner);
    for (const Named& each : named) {
      if (each.alias.compare(owner, Qt::CaseInsensitive) == 0) table = each.table;
    }
    if (table != nullptr) addStarting(word, table->columns, found);
    return found;
  }
  static const QRegularExpression kAfterSource(R"(\b(?:FROM|JOIN)\s+$)",
                                               QRegularExpression::CaseInsensitiveOption);
  if (kAfterSource.match(front).hasMatch()) {
    addStarting(word, namesOf(tables), found);
    return found;
  }
  for (const Named& each : named) addStarting(word, each.table->columns, found);
  addStarting(word, namesOf(tables), found);
  addStarting(word, wordsOfSql(), found);
  return found;
}

}  // namespace jitscope::gui
