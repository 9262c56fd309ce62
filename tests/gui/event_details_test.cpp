#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "gui/loading/timeline_builder.h"
#include "tests/gui/recording_test.h"

namespace jitscope::gui {
namespace {

/// What is said of single events of files that tell little of them.
class EventDetails : public RecordingTest {
 protected:
  void open(const char* name, const std::string& text) {
    const std::string path = file(name).toStdString();
    std::ofstream(path) << text;
    auto loaded = analyzer::loadRun(path);
    ASSERT_TRUE(loaded) << loaded.error().text;
    const auto run = std::make_shared<const analyzer::Run>(std::move(*loaded));
    timeline_ = buildTimeline(run, [](int) { return true; });
  }

  /// The text of the first event of that kind.
  QString textOfFirst(RowKind kind) const {
    for (size_t lane = 0; lane < timeline_->lanes.size(); ++lane) {
      const auto& rows = timeline_->lanes[lane].rows;
      for (size_t row = 0; row < rows.size(); ++row) {
        if (rows[row].kind() != kind) continue;
        return detailText(timeline_->describe({.lane = lane, .row = row}));
      }
    }
    ADD_FAILURE() << "no such event";
    return {};
  }

 private:
  std::shared_ptr<const Timeline> timeline_;
};

TEST_F(EventDetails, LeavesOutWhatATraceDoesNotTellOfAnEvent) {
  open("trace.json", R"({"traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 5},
      {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy", "pid": 0, "tid": 7, "ts": 9, "dur": 5},
      {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 1,
       "dur": 1},
      {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 9}]})");
  EXPECT_FALSE(textOfFirst(RowKind::kKernel).contains("correlation"));
  const QString copy = textOfFirst(RowKind::kCopy);
  EXPECT_FALSE(copy.contains("size")) << copy.toStdString();
  EXPECT_FALSE(copy.contains("rate")) << copy.toStdString();
  const QString call = textOfFirst(RowKind::kApi);
  EXPECT_FALSE(call.contains("status")) << call.toStdString();
  EXPECT_FALSE(call.contains("correlation")) << call.toStdString();
}

TEST_F(EventDetails, TellsWhatATraceTellsOfAnEvent) {
  open("trace.json", R"({"traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 1, "dur": 5,
       "args": {"correlation": 31}},
      {"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy", "pid": 0, "tid": 7, "ts": 9, "dur": 5,
       "args": {"bytes": 4096}}]})");
  EXPECT_TRUE(textOfFirst(RowKind::kKernel).contains("correlation: 31"));
  EXPECT_TRUE(textOfFirst(RowKind::kCopy).contains("size: 4.10 kB"));
  EXPECT_TRUE(textOfFirst(RowKind::kCopy).contains("rate: 819 MB/s"));
}

TEST_F(EventDetails, LeavesOutWhatARegionOfATraceDoesNotTell) {
  open("trace.json", R"({"traceEvents": [
      {"ph": "X", "cat": "cpu_op", "name": "Torch-Compiled Region: 0/0", "pid": 1, "tid": 1,
       "ts": 1, "dur": 5}]})");
  const QString region = textOfFirst(RowKind::kRegion);
  EXPECT_FALSE(region.contains("operators")) << region.toStdString();
  EXPECT_FALSE(region.contains("segment")) << region.toStdString();
}

}  // namespace
}  // namespace jitscope::gui
