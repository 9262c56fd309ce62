#include "analyzer/reports/recorded_text.h"

#include <gtest/gtest.h>

#include <string>

#include "analyzer/recording_notes.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

const std::string kAsked = "recorded_window reason=\"--steps 10..20\"\n";
const std::string kTwo =
    "recorded_window window=1 start_ns=1s reason=\"step 10\"\n"
    "recorded_window window=1 start_ns=1s end_ns=3s reason=\"step 10\" end_reason=\"step 20\"\n"
    "recorded_window window=2 start_ns=4s end_ns=5s reason=\"program\"\n";

/// The windows' part of the text.
std::string windowsOf(const Run& run) {
  const std::string text = recordedText(run);
  const size_t at = text.find(" recorded ");
  return at == std::string::npos ? text : text.substr(at + std::string(" recorded ").size());
}

TEST(RecordedText, IsNoneForAProcessThatWasRecordedAllTheTime) {
  EXPECT_EQ(recordedText(runOf("op at=1s..2s name=\"mm\"")), "1.00 s recorded");
}

TEST(RecordedText, CountsTheWindowsOfAllProcessesOnce) {
  EXPECT_EQ(windowsOf(runOf(kAsked + kTwo)), "in 2 windows of 3.00 s in all (--steps 10..20)");
  const std::string one = kAsked + "recorded_window window=1 start_ns=1s end_ns=2s\n";
  EXPECT_EQ(windowsOf(runOf({kAsked + kTwo, one})),
            "in 3 windows of 4.00 s in all (--steps 10..20)");
}

TEST(RecordedText, SaysThatNoWindowWasReached) {
  EXPECT_EQ(recordedText(runOf(kAsked)), "no window was reached (--steps 10..20) in 0 ns");
  EXPECT_EQ(recordedText(runOf(kAsked + "compile frame=0 attempt=0 at=1s..3s thread=1\n")),
            "no window was reached (--steps 10..20) in 2.00 s");
  EXPECT_EQ(recordedText(runOf({kAsked, "op at=1s..2s name=\"mm\""})),
            "1.00 s recorded, but no window was reached (--steps 10..20)");
}

TEST(RecordedText, SaysWhatMarksAStepWhereNoneOfThoseAskedForCame) {
  const std::string compile = "compile frame=0 attempt=0 at=1s..3s thread=1\n";
  const auto notesOf = [&](const std::string& rows) {
    std::string all;
    for (const std::string& note : recordingNotes(runOf(rows + compile))) all += note + "\n";
    EXPECT_EQ(all.find("use jitscope record"), std::string::npos) << all;
    return all;
  };
  const std::string none = notesOf("recorded_window reason=\"--steps 2..3\"\n");
  for (const char* const word :
       {"marked no steps, so", "jitscope_step()", "ProfilerStep", "optimizer"})
    EXPECT_NE(none.find(word), std::string::npos) << word << "\n" << none;
  EXPECT_NE(notesOf(kAsked).find("marked no steps, or fewer than 9, so"), std::string::npos);
  const auto rowsOf = [](int64_t steps) {
    return kAsked +
           "counter at=9s..9s device=-1 metric=\"steps_ended\" value=" + std::to_string(steps) +
           "\n";
  };
  const auto counted = [&](int64_t steps) { return notesOf(rowsOf(steps)); };
  EXPECT_NE(counted(3).find("marked only 3 steps, so"), std::string::npos) << counted(3);
  EXPECT_NE(counted(1).find("marked only 1 step, so"), std::string::npos) << counted(1);
  EXPECT_NE(counted(0).find("marked no steps, so"), std::string::npos) << counted(0);
  // One process ended, another was killed and told no number.
  std::string both;
  for (const std::string& note : recordingNotes(runOf({rowsOf(0), kAsked + compile}))) both += note;
  EXPECT_NE(both.find("marked no steps, or fewer than 9, so"), std::string::npos) << both;
  for (const std::string& rows :
       {kAsked + kTwo, std::string("recorded_window reason=\"--delay 2\"\n"), std::string()})
    EXPECT_EQ(notesOf(rows).find("steps"), std::string::npos) << rows;
}

TEST(RecordedText, CountsWhatTriggeredAFlightRecorder) {
  const std::string rows =
      "recorded_window reason=\"--flight-recorder 30s\"\n"
      "recorded_window window=7 start_ns=1s end_ns=31s reason=\"recompile\" triggers=40\n";
  EXPECT_EQ(windowsOf(runOf(rows)), "in 1 window of 30.0 s, 40 triggers (--flight-recorder 30s)");
}

TEST(RecordedText, BearsTimesThatDoNotFitTogether) {
  const std::string rows =
      "recorded_window reason=\"--delay 1\"\n"
      "recorded_window window=1 start_ns=1 end_ns=9223372036854775807 "
      "triggers=9223372036854775807\n"
      "recorded_window window=2 start_ns=1 end_ns=9223372036854775807 "
      "triggers=9223372036854775807\n";
  EXPECT_NE(recordedText(runOf({rows, rows})).find("in 4 windows of "), std::string::npos);
}

}  // namespace
}  // namespace jitscope::analyzer
