#pragma once

#include <QStackedWidget>

#include "gui/models/code_links.h"
#include "gui/models/graph_views.h"
#include "gui/models/sheet_table.h"

namespace jitscope::gui {

class CodeView;
class DetailPanel;
class ElidedLabel;

/// Beside the tree of graphs: shows a detail, a table or a text, one at a time.
class GraphPanel final : public QStackedWidget {
  Q_OBJECT
 public:
  explicit GraphPanel(QWidget* parent = nullptr);

  void showDetail(const Detail& detail);
  void showTable(Sheet sheet);
  /// With `hasLinks` the operators of each line stand below, and Enter asks for them.
  void showCode(std::string_view text, CodeLanguage language, bool hasLinks);

  /// The operators of a line of the text that shows.
  NamedOperators operatorsOf(int line) const { return links_.operatorsOf(line); }
  /// Marks the lines of the text that define `operators`.
  void mark(const NamedOperators& operators);

 signals:
  /// Enter or a double click in a text that has links.
  void lineChosen(int line);

 private:
  void showLinks(int line);

  DetailPanel* detail_;
  SheetTable* table_;
  CodeView* code_;
  ElidedLabel* note_;
  CodeLinks links_;
};

}  // namespace jitscope::gui
