#include "gui/widgets/code_highlighter.h"

#include <QRegularExpression>

#include "gui/widgets/palette.h"

namespace jitscope::gui {
namespace {

constexpr qsizetype kMostCharacters = 2'000;  ///< of a line; longer ones stay plain

const QRegularExpression& words(CodeLanguage language) {
  static const QRegularExpression kPython(
      R"(\b(?:def|class|return|import|from|as|if|elif|else|for|while|in|is|not|and|or|with|lambda|None|True|False|async|pass|raise|try|except|del)\b)");
  static const QRegularExpression kCpp(
      R"(\b(?:auto|bool|break|case|char|const|constexpr|continue|double|else|extern|float|for|if|inline|int|int32_t|int64_t|long|namespace|return|signed|sizeof|static|struct|template|typename|unsigned|using|void|volatile|while|__global__|__device__|__shared__|__restrict__|__syncthreads)\b)");
  return language == CodeLanguage::kCpp ? kCpp : kPython;
}

const QRegularExpression& numbers() {
  static const QRegularExpression kNumbers(
      R"(\b(?:0x[0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)[fFuUlL]*\b)");
  return kNumbers;
}

const QRegularExpression& texts() {
  static const QRegularExpression kTexts(R"("[^"]*"|'[^']*')");
  return kTexts;
}

}  // namespace

CodeHighlighter::CodeHighlighter(QTextDocument* document) : QSyntaxHighlighter(document) {}

void CodeHighlighter::highlightBlock(const QString& text) {
  if (language_ == CodeLanguage::kPlain || text.size() > kMostCharacters) return;
  const auto paint = [&](const QRegularExpression& form, QRgb colour) {
    auto matches = form.globalMatch(text);
    while (matches.hasNext()) {
      const auto match = matches.next();
      setFormat(static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength()),
                QColor(colour));
    }
  };
  paint(numbers(), colours().codeNumber);
  paint(words(language_), colours().codeWord);
  paint(texts(), colours().secondary);
  // Last: in a comment nothing else counts.
  const qsizetype comment = text.indexOf(language_ == CodeLanguage::kCpp ? "//" : "#");
  const bool isComment = comment >= 0 && !text.left(comment).contains('"');
  if (isComment) {
    setFormat(static_cast<int>(comment), static_cast<int>(text.size() - comment),
              QColor(colours().secondary));
  }
}

}  // namespace jitscope::gui
