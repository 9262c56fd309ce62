#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"
#include "trace/reader.h"

namespace jitscope::collector {

/// A test that records a program and looks at what came of it.
class RecordingTest : public testing::Test {
 protected:
  /// Records `command` in `folder` and opens the recording; how the program ran is in `run`.
  trace::Recording recordProgram(const std::vector<std::string>& command) {
    run = tests::record(folder / "out.jitscope", command);
    auto recording = trace::Recording::open(folder / "out.jitscope");
    EXPECT_TRUE(recording) << recording.error().text << run.errors;
    return recording ? *recording : trace::Recording{};
  }

  tests::TemporaryFolder folder;
  tests::ProgramRun run;
};

}  // namespace jitscope::collector
