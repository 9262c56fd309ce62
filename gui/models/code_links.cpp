#include "gui/models/code_links.h"

#include <QRegularExpression>
#include <algorithm>

namespace jitscope::gui {
namespace {

/// What a comment names, or nothing where it is another comment.
NamedOperators namedOperators(const QString& line) {
  static const QRegularExpression kInductor(R"(Source Nodes: \[([^\]]*)\])");
  static const QRegularExpression kOurs(R"(^\s*// ([\w., ]+): \[[^\]]*\]\s*$)");
  const bool areValues = line.contains("Source Nodes");
  const auto match = (areValues ? kInductor : kOurs).match(line);
  NamedOperators operators{match.captured(1).split(',', Qt::SkipEmptyParts), areValues};
  for (QString& name : operators.names) name = name.trimmed();
  return operators;
}

/// What a line of a graph defines: `mul_1` of `mul_1: "f32[8]" = …`; empty for other lines.
QString definedName(const QString& line) {
  static const QRegularExpression kDefinition(R"(^\s*(\w+)\s*(?::\s*"[^"]*"\s*)?=[^=])");
  return kDefinition.match(line).captured(1);
}

/// Whether `defined` is a value of operator `name`: `mul` or `mul_7`.
bool isOfOperator(const QString& defined, const QString& name) {
  if (!defined.startsWith(name)) return false;
  const QString rest = defined.mid(name.size());
  if (rest.isEmpty()) return true;
  return rest.size() > 1 && rest[0] == '_' &&
         std::all_of(rest.begin() + 1, rest.end(), [](QChar c) { return c.isDigit(); });
}

}  // namespace

CodeLinks::CodeLinks(const QStringList& code) {
  for (qsizetype line = 0; line < code.size(); ++line) {
    NamedOperators operators = namedOperators(code[line]);
    if (!operators.names.isEmpty())
      parts_.push_back({static_cast<int>(line), std::move(operators)});
  }
}

NamedOperators CodeLinks::operatorsOf(int line) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), line,
                       [](int wanted, const Part& part) { return wanted < part.firstLine; });
  return after == parts_.begin() ? NamedOperators() : std::prev(after)->operators;
}

std::vector<int> definingLines(const QStringList& graph, const NamedOperators& operators) {
  std::vector<int> lines;
  for (qsizetype line = 0; line < graph.size(); ++line) {
    const QString defined = definedName(graph[line]);
    if (defined.isEmpty()) continue;
    const bool isMeant =
        std::any_of(operators.names.begin(), operators.names.end(), [&](const QString& name) {
          return operators.areValues ? defined == name : isOfOperator(defined, name);
        });
    if (isMeant) lines.push_back(static_cast<int>(line));
  }
  return lines;
}

std::vector<QStringList> fusionRefusals(const QStringList& report) {
  static const QRegularExpression kRefusal(R"(^did not fuse (.+) with (.+): (-?\d+) bytes; (.*)$)");
  std::vector<QStringList> refusals;
  for (const QString& line : report) {
    const auto match = kRefusal.match(line);
    if (match.hasMatch()) refusals.push_back(match.capturedTexts().mid(1));
  }
  return refusals;
}

}  // namespace jitscope::gui
