#include "analyzer/recording_notes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "analyzer/report.h"
#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

/// The notes on places without file and line, one a line.
std::string lineNotesOf(const std::string& rows) {
  std::string all;
  for (const std::string& note : recordingNotes(runOf(rows)))
    if (note.starts_with("places in ")) all += note + "\n";
  return all;
}

std::string breakIn(const std::string& stack) {
  return "frame frame=0 name=\"step\" file=\"step.cpp\" line=5\n"
         "graph_break frame=0 attempt=0 at=1us..2us thread=1 is_first=1 stack=\"" +
         stack + "\"\n";
}

constexpr std::string_view kNote =
    "places in service have no file and line, such as service+0x1f20: compile with -g1, and record "
    "where libdw (of elfutils) is installed, which reads them\n";

TEST(RecordingNotes, TellOnceHowToHaveLinesOfAProgramWithoutDebugInformation) {
  EXPECT_EQ(lineNotesOf(breakIn("service+0x1f20 step\\nservice+0x2000 main")), kNote);
  EXPECT_EQ(lineNotesOf(breakIn("service+0x1f20 step") + breakIn("service+0x1f20 other")), kNote);
  EXPECT_EQ(lineNotesOf("frame frame=0 name=\"step\" file=\"/opt/service+0x1f20\"\n"), kNote);
  EXPECT_EQ(lineNotesOf("frame frame=0 name=\"step\" file=\"s.cpp\" line=5\n"
                        "compile frame=0 attempt=0 at=1us..2us stack=\"service+0x1f20\"\n"),
            kNote);
}

TEST(RecordingNotes, NameTheModulesWithoutDebugInformation) {
  std::string rows;
  for (const char* module : {"a", "b.so", "c.so"}) rows += breakIn(std::string(module) + "+0x1 f");
  EXPECT_NE(lineNotesOf(rows).find("places in a, b.so, c.so have"), std::string::npos);
  rows += breakIn("d+0x2 f") + breakIn("e+0x3 f");
  EXPECT_NE(lineNotesOf(rows).find("places in a, b.so, c.so and 2 more have"), std::string::npos);
}

TEST(RecordingNotes, SayNothingOfLinesThatAreKnownOrNotTheUsers) {
  for (const char* stack :
       {"/home/me/step.cpp:7 step\\nservice+0x2000 main", "libtorch_cpu.so+0x10 at::f", "",
        "model+0x.py:3 f", "service+0x f", "service+0xyz f", "<string> f"}) {
    EXPECT_EQ(lineNotesOf(breakIn(stack)), "") << stack;
  }
}

TEST(RecordingNotes, StandInEveryReport) {
  const analyzer::Run run = runOf(breakIn("service+0x1f20 step"));
  for (const ReportFormat format :
       {ReportFormat::kText, ReportFormat::kJson, ReportFormat::kMarkdown, ReportFormat::kHtml}) {
    const std::string report = renderReport(run, analyze(run), format);
    const size_t at = report.find("compile with -g1");
    EXPECT_NE(at, std::string::npos) << report;
    EXPECT_EQ(report.find("compile with -g1", at + 1), std::string::npos) << report;
  }
}

}  // namespace
}  // namespace jitscope::analyzer
