#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "gui/loading/recording.h"
#include "gui/models/sheet.h"
#include "gui/models/sql_words.h"

namespace jitscope::gui {

/// What came of a query.
struct QueryAnswer {
  std::shared_ptr<const Sheet> sheet;  ///< null when there is an error
  QString error;                       ///< with the remedy where it is known; one line
  bool isStopped = false;              ///< cancelled: neither sheet nor error
  bool hasMore = false;                ///< the sheet holds only the first rows
};

/// How many rows of an answer the window holds.
inline constexpr size_t kMostAnswerRows = 100'000;

/// What a query of the window may use of memory.
inline constexpr int64_t kMostQueryBytes = int64_t{1} << 30;

/// Answers SQL by the analyzer. For a worker; queries asked at the same time wait for each other.
QueryAnswer answerOf(const Recording& recording, const std::string& sql,
                     const std::stop_token& stop, int64_t mostMemoryBytes = kMostQueryBytes);

/// What came of saving an answer.
struct SavedAnswer {
  QString error;           ///< one line; empty when all is written
  bool isStopped = false;  ///< cancelled: neither file nor error
};

/// Writes the whole answer as CSV, as `jitscope query --format csv` does; what an error or a stop
/// leaves of the file is removed.
SavedAnswer saveAnswer(const Recording& recording, const std::string& sql,
                       const std::filesystem::path& path, const std::stop_token& stop);

/// The tables that a query can read, for completion.
std::vector<SqlTable> sqlTables();

/// A query to begin with, that this recording has an answer for.
QString firstQuery(const Recording& recording);

}  // namespace jitscope::gui
