#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/query.h"

namespace jitscope::analyzer {

/// Takes the next piece of an answer's text. False: there is no use in more.
using WriteText = std::function<bool(std::string_view text)>;

/// An answer that is being written in some form. For one thread.
class AnswerWriter : public AnswerSink {
 public:
  /// Writes what stands behind the last row; for an answer that ended well.
  virtual void finish() = 0;
};

/// A cell as CSV and a table show it: what is nothing is empty.
std::string cellText(const QueryCell& cell);

/// The names of the forms: "table", "csv", "json".
std::vector<std::string_view> answerFormNames();

/// How many rows a form shows when nobody says how many; 0: all.
size_t usualRows(std::string_view form);

/// A writer of that form, which must be one of the names, of at most `mostRows` rows (0: all).
/// CSV and JSON hand on each row as it comes, in full; a table is laid out when it is finished, its
/// cells shortened to what a line can show.
std::unique_ptr<AnswerWriter> answerWriter(std::string_view form, size_t mostRows, WriteText write);

}  // namespace jitscope::analyzer
