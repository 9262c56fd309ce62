#include "analyzer/tables/csv.h"

namespace jitscope::analyzer {

void appendCsvCell(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char letter : text) {
    if (letter == '"') line += '"';
    line += letter;
  }
  line += '"';
}

}  // namespace jitscope::analyzer
