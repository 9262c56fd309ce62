#pragma once

#include <QString>
#include <QStringList>
#include <vector>

namespace jitscope::gui {

/// Operators that a kernel computes.
struct NamedOperators {
  QStringList names;
  bool areValues = false;  ///< names of values (`mul_1`), not of operators (`mul`)

  bool operator==(const NamedOperators&) const = default;
};

/// The operators that a line of generated code computes, as the comment before its kernel names
/// them; and where a graph's text defines them. Both forms are read: that of torch.compile
/// (`# Topologically Sorted Source Nodes: [mean, rsqrt], …`) and ours (`// mean, rsqrt: [8, 16]`).
class CodeLinks {
 public:
  /// Reads the comments of generated code.
  explicit CodeLinks(const QStringList& code = {});

  /// The operators of a line, counted from 0; empty where no comment says.
  NamedOperators operatorsOf(int line) const;

 private:
  struct Part {
    int firstLine = 0;
    NamedOperators operators;
  };
  std::vector<Part> parts_;
};

/// The lines of a graph's text (`mul_1: "f32[8]" = torch.mul(x, y)`) that define `operators`: the
/// values of those names, or all values (`mul`, `mul_1`, …) of operators of those names.
std::vector<int> definingLines(const QStringList& graph, const NamedOperators& operators);

/// Lines of a fusion's report that tell what was not fused and why, as a row each: first, second,
/// bytes, reason.
std::vector<QStringList> fusionRefusals(const QStringList& report);

}  // namespace jitscope::gui
