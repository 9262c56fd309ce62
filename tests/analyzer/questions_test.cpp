#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "analyzer/analysis.h"
#include "analyzer/run.h"
#include "tests/analyzer/question_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/trace_text.h"

namespace jitscope::analyzer {
namespace {

std::vector<std::filesystem::path> questionFiles() {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(JITSCOPE_TEST_QUESTIONS))
    paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

trace::Result<Run> runOfInput(const Question& question) {
  const tests::TemporaryFolder folder;
  const std::filesystem::path path = folder / (question.kind == "rows" ? "run.jitscope" : "log");
  if (question.kind == "rows")
    tests::writeTrace(path, question.input);
  else
    std::ofstream(path, std::ios::binary) << question.input;
  return loadRun(path);
}

std::string toldBy(const Finding& finding) {
  return finding.id + "\n  " + std::string(name(finding.advice.certainty)) + " " +
         fullText(finding.place) + "\n  " + finding.advice.title + "\n  " + finding.advice.cause +
         "\n  " + finding.advice.fix + "\n";
}

void check(const std::vector<Finding>& findings, const ExpectedFinding& expected,
           const std::string& all) {
  std::vector<const Finding*> found;
  for (const Finding& finding : findings) {
    if (finding.id.starts_with(expected.id)) found.push_back(&finding);
  }
  ASSERT_EQ(found.size(), 1U) << expected.id << " in\n" << all;
  const Finding& finding = *found.front();
  const std::string told = toldBy(finding);
  if (!expected.place.empty()) {
    EXPECT_EQ(fullText(finding.place), expected.place) << told;
  }
  if (expected.count >= 0) {
    EXPECT_EQ(finding.count(), expected.count) << told;
  }
  if (!expected.certainty.empty()) {
    EXPECT_EQ(name(finding.advice.certainty), expected.certainty) << told;
  }
  for (const std::string& word : expected.words)
    EXPECT_NE(told.find(word), std::string::npos) << word << " in\n" << told;
  for (const std::string& word : expected.never)
    EXPECT_EQ(told.find(word), std::string::npos) << word << " in\n" << told;
}

class Questions : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Questions, GetTheirAnswers) {
  for (const Question& question : readQuestions(GetParam())) {
    SCOPED_TRACE(question.name + ": " + question.text);
    const trace::Result<analyzer::Run> run = runOfInput(question);
    EXPECT_EQ(!run, question.isRefused) << (run ? "" : run.error().text);
    if (!run) continue;
    const Analysis analysis = analyze(*run);
    std::string all;
    for (const Finding& finding : analysis.findings) all += toldBy(finding);
    for (const ExpectedFinding& expected : question.expected)
      check(analysis.findings, expected, all);
    for (const std::string& absent : question.absent) {
      const bool isThere =
          std::any_of(analysis.findings.begin(), analysis.findings.end(),
                      [&](const Finding& each) { return each.id.starts_with(absent); });
      EXPECT_FALSE(isThere) << absent << " in\n" << all;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, Questions, testing::ValuesIn(questionFiles()),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace jitscope::analyzer
