#include "analyzer/reports/window_note.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

const std::string kAsked = "recorded_window reason=\"--steps 10..20\"\n";
const std::string kTwo =
    "recorded_window window=1 start_ns=1s reason=\"step 10\"\n"
    "recorded_window window=1 start_ns=1s end_ns=3s reason=\"step 10\" end_reason=\"step 20\"\n"
    "recorded_window window=2 start_ns=4s end_ns=5s reason=\"program\"\n";

TEST(WindowNote, IsEmptyForAProcessThatWasRecordedAllTheTime) {
  EXPECT_EQ(windowNote(runOf("op at=1s..2s name=\"mm\"")), "");
}

TEST(WindowNote, CountsTheWindowsOfAllProcessesOnce) {
  EXPECT_EQ(windowNote(runOf(kAsked + kTwo)), "in 2 windows of 3.00 s in all (--steps 10..20)");
  const std::string one = kAsked + "recorded_window window=1 start_ns=1s end_ns=2s\n";
  EXPECT_EQ(windowNote(runOf({kAsked + kTwo, one})),
            "in 3 windows of 4.00 s in all (--steps 10..20)");
}

TEST(WindowNote, SaysThatNoWindowWasReached) {
  EXPECT_EQ(windowNote(runOf(kAsked)), "in windows, of which none was reached (--steps 10..20)");
}

TEST(WindowNote, CountsWhatTriggeredAFlightRecorder) {
  const std::string rows =
      "recorded_window reason=\"--flight-recorder 30s\"\n"
      "recorded_window window=7 start_ns=1s end_ns=31s reason=\"recompile\" triggers=40\n";
  EXPECT_EQ(windowNote(runOf(rows)), "in 1 window of 30.0 s, 40 triggers (--flight-recorder 30s)");
}

TEST(WindowNote, BearsTimesThatDoNotFitTogether) {
  const std::string rows =
      "recorded_window reason=\"--delay 1\"\n"
      "recorded_window window=1 start_ns=1 end_ns=9223372036854775807 "
      "triggers=9223372036854775807\n"
      "recorded_window window=2 start_ns=1 end_ns=9223372036854775807 "
      "triggers=9223372036854775807\n";
  EXPECT_NE(windowNote(runOf({rows, rows})).find("in 4 windows of "), std::string::npos);
}

}  // namespace
}  // namespace jitscope::analyzer
