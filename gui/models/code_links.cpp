#include "gui/models/code_links.h"

#include <QRegularExpression>
#include <algorithm>

namespace jitscope::gui {
namespace {

/// What a comment names, or nothing where it is another comment.
NamedOperators namedOperators(const QString& line) {
  constexpr QLatin1String kInductor("Source Nodes: [");
  static const QRegularExpression kOurs(R"(^\s*// ([\w., ]+): \[[^\]]*\]\s*$)");
  const qsizetype start = line.indexOf(kInductor);
  const bool areValues = start >= 0;
  const qsizetype first = start + kInductor.size();
  const QString names =
      areValues ? line.mid(first, std::max<qsizetype>(0, line.indexOf(']', first) - first))
                : kOurs.match(line).captured(1);
  NamedOperators operators{names.split(',', Qt::SkipEmptyParts), areValues};
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

/// The parts of `did not fuse A with B: N bytes; reason`; empty for other lines. By searches, not
/// by an expression that tries each place with each other: a line can be as long as a recording.
QStringList refusalOf(const QString& line) {
  constexpr QLatin1String kStart("did not fuse "), kWith(" with "), kBytes(" bytes; ");
  const qsizetype bytes = line.indexOf(kBytes);
  if (bytes < 0 || !line.startsWith(kStart)) return {};
  const qsizetype number = line.lastIndexOf(": ", bytes);
  const QString head = line.left(std::max<qsizetype>(0, number));
  const qsizetype with = head.lastIndexOf(kWith);
  if (with <= kStart.size()) return {};
  const QString size = line.mid(number + 2, bytes - number - 2);
  bool isNumber = false;
  size.toLongLong(&isNumber);
  if (!isNumber) return {};
  return {head.mid(kStart.size(), with - kStart.size()), head.mid(with + kWith.size()), size,
          line.mid(bytes + kBytes.size())};
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
  std::vector<QStringList> refusals;
  for (const QString& line : report) {
    QStringList refusal = refusalOf(line);
    if (!refusal.isEmpty()) refusals.push_back(std::move(refusal));
  }
  return refusals;
}

}  // namespace jitscope::gui
