#pragma once

#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// Appends a cell of CSV (RFC 4180): quoted where it holds a comma, a quote or the end of a line.
void appendCsvCell(std::string& line, std::string_view text);

}  // namespace jitscope::analyzer
