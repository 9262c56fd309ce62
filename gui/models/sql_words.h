#pragma once

#include <QStringList>
#include <vector>

namespace jitscope::gui {

/// A table that a query can read.
struct SqlTable {
  QString name;
  QStringList columns;
};

/// The part of a word that stands before `position` of `text`: letters, digits and underscores.
QString sqlWordBefore(const QString& text, qsizetype position);

/// What the word before `position` can become: columns of the table or alias in front of a dot,
/// tables after FROM and JOIN, else columns of the tables that `text` names, tables, functions and
/// words of SQL. All begin with that word, whatever its case; the likeliest first.
QStringList sqlCompletions(const std::vector<SqlTable>& tables, const QString& text,
                           qsizetype position);

}  // namespace jitscope::gui
