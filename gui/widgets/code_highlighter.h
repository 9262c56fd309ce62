#pragma once

#include <QSyntaxHighlighter>

#include "gui/models/graph_views.h"

namespace jitscope::gui {

/// Colours keywords, numbers, texts and comments of generated code and graphs.
class CodeHighlighter final : public QSyntaxHighlighter {
  Q_OBJECT
 public:
  explicit CodeHighlighter(QTextDocument* document);

  /// For the text that comes next.
  void setLanguage(CodeLanguage language) { language_ = language; }

 protected:
  void highlightBlock(const QString& text) override;

 private:
  CodeLanguage language_ = CodeLanguage::kPlain;
};

}  // namespace jitscope::gui
