#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <vector>

#include "analyzer/analysis.h"
#include "analyzer/query.h"
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

/// Takes some rows and looks at their shape.
class CheckedAnswer : public analyzer::AnswerSink {
 public:
  void columns(const std::vector<std::string>& names) override { width_ = names.size(); }

  bool row(std::span<const analyzer::QueryCell> cells) override {
    require(cells.size() == width_);
    return ++rows_ < 10'000;
  }

 private:
  size_t width_ = 0, rows_ = 0;
};

}  // namespace

void askQuery(std::string_view bytes) {
  static const analyzer::Run run = analyzer::runOf(analyzer::kServiceRows);
  static const analyzer::Analysis analysis = analyze(run);
  const std::string sql(bytes);
  if (sql.size() > kLongestQuery || isEndless(sql)) return;
  CheckedAnswer sink;
  const trace::Result<void> answered = analyzer::query(run, analysis, sql, sink);
  if (!answered) require(!answered.error().text.empty());
}

}  // namespace jitscope::fuzz
