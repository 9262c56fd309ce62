#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <optional>
#include <vector>

#include "gui/models/event_columns.h"

namespace jitscope::gui {

/// A name and its value in a detail.
struct DetailField {
  QString name;
  QString value;
};

/// A bar in a detail: how much of the longest one, with the text beside it.
struct DetailBar {
  QString name;
  double share = 0;
  QString value;
  Category category = Category::kHost;
};

/// One headed part of a detail; what is empty is not shown.
struct DetailSection {
  QString heading;
  std::vector<DetailField> fields;
  std::vector<DetailBar> bars;
  QString prose;     ///< wrapped
  QStringList code;  ///< fixed-width lines, as they are
};

/// Everything that the window tells about one thing (an event, a mark, a finding).
struct Detail {
  QString title;
  QString kind;  ///< "operator", "graph break", …
  Category category = Category::kHost;
  std::vector<DetailSection> sections;
};

/// The detail as indented text: for the clipboard and for tests.
QString detailText(const Detail& detail);

}  // namespace jitscope::gui
