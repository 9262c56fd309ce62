#include "gui/models/number_text.h"

#include <algorithm>

#include "analyzer/units.h"

namespace jitscope::gui {

QString countText(int64_t count) { return QString::fromStdString(analyzer::countText(count)); }

QString countedText(int64_t count, const QString& singular) {
  return countText(count) + " " + singular + (count == 1 ? "" : "s");
}

QString durationText(int64_t durationNs) {
  return QString::fromStdString(analyzer::durationText(durationNs));
}

QString bytesText(int64_t bytes) { return QString::fromStdString(analyzer::bytesText(bytes)); }

QString percentText(double share) {
  return QString::fromStdString(analyzer::decimalText(share * 100, 1)) + " %";
}

QString factorText(double ratio) { return QString::fromStdString(analyzer::ratioText(ratio)); }

QString ratioText(const QString& name, int64_t durationNs, const QString& otherName,
                  int64_t otherNs) {
  if (durationNs <= 0 || otherNs <= 0) return {};
  if (durationNs < otherNs) return ratioText(otherName, otherNs, name, durationNs);
  const double ratio = static_cast<double>(durationNs) / static_cast<double>(otherNs);
  return name + " takes " + factorText(ratio) + " the time";
}

QString tickText(int64_t timeNs, int64_t stepNs) {
  const auto step = static_cast<double>(stepNs);
  // A tenth of a unit still reads well as "0.5 ms"; below that the next unit is clearer.
  const auto& units = analyzer::kTimeUnits;
  const auto unit = std::find_if(units.rbegin(), units.rend() - 1,
                                 [step](const auto& each) { return step >= each.size * 0.5; });
  const double value = static_cast<double>(timeNs) / unit->size;
  const std::string number = analyzer::decimalText(value, step < unit->size ? 1 : 0);
  return QString::fromStdString(number + ' ' + unit->name);
}

}  // namespace jitscope::gui
