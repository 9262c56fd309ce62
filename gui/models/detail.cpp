#include "gui/models/detail.h"

namespace jitscope::gui {

QString detailText(const Detail& detail) {
  QString text = detail.title + "\n" + detail.kind + "\n";
  for (const DetailSection& section : detail.sections) {
    if (!section.heading.isEmpty()) text += section.heading + "\n";
    for (const DetailField& field : section.fields) {
      text += "  " + field.name + ": " + field.value + "\n";
    }
    for (const DetailBar& bar : section.bars) text += "  " + bar.name + ": " + bar.value + "\n";
    if (!section.prose.isEmpty()) text += "  " + section.prose + "\n";
    for (const QString& line : section.code) text += "  | " + line + "\n";
  }
  return text;
}

}  // namespace jitscope::gui
