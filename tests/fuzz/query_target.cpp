#include <algorithm>
#include <cctype>
#include <string>

#include "analyzer/analysis.h"
#include "analyzer/query/query.h"
#include "tests/analyzer/run_of_text.h"
#include "tests/fuzz/sound_run.h"
#include "tests/fuzz/targets.h"

namespace jitscope::fuzz {
namespace {

constexpr size_t kLongestQuery = 300;

/// SQL that a user may write and wait for: it goes on for ever, or fills the memory.
bool isEndless(std::string sql) {
  std::transform(sql.begin(), sql.end(), sql.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const char* const part :
       {"recursive", "blob", "printf", "format", "replace", "group_concat"}) {
    if (sql.find(part) != std::string::npos) return true;
  }
  return std::count(sql.begin(), sql.end(), ',') + std::count(sql.begin(), sql.end(), 'j') > 8;
}

}  // namespace

void askQuery(std::string_view bytes) {
  static const analyzer::Run run = analyzer::runOf(analyzer::kServiceRows);
  static const analyzer::Analysis analysis = analyze(run);
  const std::string sql(bytes);
  if (sql.size() > kLongestQuery || isEndless(sql)) return;
  const trace::Result<analyzer::QueryAnswer> answer = analyzer::query(run, analysis, sql);
  if (!answer) return require(!answer.error().text.empty());
  for (const auto& row : answer->rows) require(row.size() == answer->columns.size());
}

}  // namespace jitscope::fuzz
