#pragma once

#include <QPlainTextEdit>
#include <string_view>
#include <vector>

#include "gui/models/graph_views.h"

namespace jitscope::gui {

class CodeHighlighter;

/// Shows a text with line numbers, to read and to copy. Very long texts are cut, and say so.
class CodeView final : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit CodeView(QWidget* parent = nullptr);

  void show(std::string_view text, CodeLanguage language);
  QStringList lines() const;
  /// Marks lines (from 0) and goes to the first of them.
  void mark(const std::vector<int>& lines);
  const std::vector<int>& marked() const { return marked_; }

 signals:
  /// The cursor stands in another line.
  void lineSelected(int line);
  /// Enter or a double click.
  void lineChosen(int line);

 protected:
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;

 private:
  class Margin;
  void paintMargin(QPaintEvent* event);
  void highlight();

  CodeHighlighter* highlighter_;
  Margin* margin_;
  std::vector<int> marked_;
};

}  // namespace jitscope::gui
