#include "gui/models/number_text.h"

#include <array>
#include <cmath>
#include <cstdlib>

namespace jitscope::gui {
namespace {

struct Unit {
  double size;
  const char* text;
};

/// `value` with `decimals` digits after the point and commas between thousands.
QString decimalText(double value, int decimals) {
  QString text = QString::number(std::abs(value), 'f', decimals);
  const bool isZero = text.toDouble() == 0.0;
  const qsizetype point = text.indexOf('.');
  for (qsizetype at = (point < 0 ? text.size() : point) - 3; at > 0; at -= 3) text.insert(at, ',');
  return value < 0 && !isZero ? "-" + text : text;
}

int decimalsFor(double value) {
  const double size = std::abs(value);
  return size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;
}

}  // namespace

QString countText(int64_t count) { return decimalText(static_cast<double>(count), 0); }

QString countedText(int64_t count, const QString& singular) {
  return countText(count) + " " + singular + (count == 1 ? "" : "s");
}

QString durationText(int64_t durationNs) {
  const double size = std::abs(static_cast<double>(durationNs));
  if (size < 1e3) return decimalText(static_cast<double>(durationNs), 0) + " ns";
  // The same steps as on the command line, so that both write a time alike.
  const Unit unit = size < 999.5e3   ? Unit{1e3, " µs"}
                    : size < 999.5e6 ? Unit{1e6, " ms"}
                                     : Unit{1e9, " s"};
  const double value = static_cast<double>(durationNs) / unit.size;
  return decimalText(value, decimalsFor(value)) + unit.text;
}

QString bytesText(int64_t bytes) {
  constexpr std::array<Unit, 4> kUnits{{{1e12, " TB"}, {1e9, " GB"}, {1e6, " MB"}, {1e3, " kB"}}};
  const double size = std::abs(static_cast<double>(bytes));
  for (const Unit& unit : kUnits) {
    if (size < unit.size) continue;
    const double value = static_cast<double>(bytes) / unit.size;
    return decimalText(value, decimalsFor(value)) + unit.text;
  }
  return decimalText(static_cast<double>(bytes), 0) + " B";
}

QString percentText(double share) { return decimalText(share * 100, 1) + " %"; }

QString ratioText(const QString& name, int64_t durationNs, const QString& otherName,
                  int64_t otherNs) {
  if (durationNs <= 0 || otherNs <= 0) return {};
  if (durationNs < otherNs) return ratioText(otherName, otherNs, name, durationNs);
  const double ratio = static_cast<double>(durationNs) / static_cast<double>(otherNs);
  return name + " takes " + decimalText(ratio, decimalsFor(ratio)) + "x the time";
}

QString tickText(int64_t timeNs, int64_t stepNs) {
  constexpr std::array<Unit, 3> kUnits{{{1e9, " s"}, {1e6, " ms"}, {1e3, " µs"}}};
  for (const Unit& unit : kUnits) {
    // A tenth of a unit still reads well as "0.5 ms"; below that the next unit is clearer.
    if (static_cast<double>(stepNs) < unit.size * 0.5) continue;
    const int decimals = static_cast<double>(stepNs) < unit.size ? 1 : 0;
    return decimalText(static_cast<double>(timeNs) / unit.size, decimals) + unit.text;
  }
  return decimalText(static_cast<double>(timeNs), 0) + " ns";
}

}  // namespace jitscope::gui
