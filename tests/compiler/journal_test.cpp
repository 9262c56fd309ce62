#include "compiler/journal/journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <sstream>
#include <thread>
#include <vector>

#include "compiler/frontend/break_reason.h"
#include "tests/compiler/child_process.h"
#include "tests/compiler/graph_builder.h"
#include "tests/compiler/source_lines.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::compiler {
namespace {

using trace::AttemptId;
using trace::FrameId;
using trace::SegmentId;

const CompileId kRecompile{FrameId{0}, AttemptId{1}};
const FrameName kFrame{FrameId{0}, "step", {"model.cpp", 12, "step"}};

/// Where the text after a prefix like torch's starts: `V1130 00:11:22.123456 4711 FILE:12] `. npos
/// when the line has no such prefix.
size_t endOfPrefix(const std::string& line) {
  int day = 0, hour = 0, minute = 0, second = 0, microsecond = 0, process = 0, number = 0, end = 0;
  char level = 0;
  std::sscanf(line.c_str(), "%c%4d %2d:%2d:%2d.%6d %d compiler/journal/%*[a-z_].cpp:%d] %n", &level,
              &day, &hour, &minute, &second, &microsecond, &process, &number, &end);
  const bool isAligned = end > 0 && (level == 'V' || level == 'W') && line[5] == ' ' &&
                         line[8] == ':' && line[11] == ':' && line[14] == '.' && line[21] == ' ';
  return isAligned ? static_cast<size_t>(end) : std::string::npos;
}

/// The lines of a log without their prefixes, each of which must look like torch's.
std::vector<std::string> textsOf(const std::string& log, const std::string& tag) {
  std::vector<std::string> texts;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const size_t end = endOfPrefix(line);
    EXPECT_NE(end, std::string::npos) << line;
    const std::string rest = line.substr(std::min(end, line.size()));
    EXPECT_EQ(rest.compare(0, tag.size(), tag), 0) << line;
    texts.push_back(rest.substr(std::min(tag.size() + 1, rest.size())));
  }
  return texts;
}

std::string logged(const char* logs, const std::function<void(Journal&)>& body) {
  const ChildResult child =
      runInChild({{"JITSCOPE_LOGS", logs}}, [&] { body(Journal::instance()); });
  EXPECT_EQ(child.exitStatus, 0);
  return child.standardError;
}

TEST(Journal, SaysNothingWhenNothingIsAskedFor) {
  const std::string log = logged("", [](Journal& journal) {
    EXPECT_FALSE(journal.isRecording());
    EXPECT_FALSE(journal.wantsCompileEvents());
    journal.recompile(kFrame, kRecompile, {GuardFailure{}}, {});
    journal.graphBreak(kRecompile, SegmentId{0}, reasonOfPrint(), {}, 0, 0);
    journal.guards(kRecompile, {GuardText{}});
    journal.graphCode(kRecompile, SegmentId{0}, {});
  });
  EXPECT_EQ(log, "");
}

TEST(Journal, LogsARecompileAsTorchDoes) {
  const std::string log = logged("recompiles", [](Journal& journal) {
    GuardFailure failure;
    failure.entry = {FrameId{0}, AttemptId{0}};
    failure.text = "tensor 'x' size mismatch at index 0. expected 4, actual 8";
    journal.recompile(kFrame, kRecompile, {failure}, {});
  });
  EXPECT_EQ(textsOf(log, "[0/1] [__recompiles]"),
            (std::vector<std::string>{
                "Recompiling function step in model.cpp:12",
                "    triggered by the following guard failure(s):",
                "    - 0/0: tensor 'x' size mismatch at index 0. expected 4, actual 8"}));
}

TEST(Journal, LogsABreakWithTheUsersStackOnceAndThenWithout) {
  NEEDS_SOURCE_LINES();
  const std::string log = logged("graph_breaks", [](Journal& journal) {
    const UserStack stack = UserStack::here();
    for (int i = 0; i < 2; ++i) {
      journal.graphBreak(kRecompile, SegmentId{0}, reasonOfOperator("aten::item", true, false),
                         stack, 1, 2);
    }
  });
  const std::vector<std::string> texts = textsOf(log, "[0/1] [__graph_breaks]");
  ASSERT_GT(texts.size(), 12u);
  EXPECT_EQ(texts[0].rfind("Graph break in user code at ", 0), 0u) << texts[0];
  EXPECT_NE(texts[0].find("journal_test.cpp:"), std::string::npos) << texts[0];
  EXPECT_EQ(texts[1],
            "Graph Break Reason: Unsupported Tensor.item() call with capture_scalar_outputs=False");
  EXPECT_EQ(texts[2].rfind("  Explanation: ", 0), 0u);
  EXPECT_EQ(texts[3].rfind("  Hint: ", 0), 0u);
  EXPECT_EQ(texts[5], "");
  EXPECT_EQ(texts[6], "  Developer debug context: call_method TensorVariable() item () {}");
  EXPECT_EQ(texts[7], "");
  EXPECT_EQ(texts[8], "User code traceback:");
  EXPECT_EQ(texts[9].rfind("  File \"", 0), 0u);
  EXPECT_NE(log.find("    const UserStack stack = UserStack::here();"), std::string::npos)
      << "the source line is shown";
  const std::string again =
      "Graph break (user stack suppressed due to duplicate graph break) in user code at ";
  const size_t second = log.find(again);
  ASSERT_NE(second, std::string::npos);
  EXPECT_EQ(log.find("User code traceback:", second), std::string::npos);
}

TEST(Journal, LogsGuardsAsATree) {
  const std::string log = logged("guards", [](Journal& journal) {
    journal.guards(kRecompile, {{"GLOBAL_STATE", "", "___check_global_state()"},
                                {"TENSOR_MATCH", "L['x']", "check_tensor(L['x'], Tensor)"}});
  });
  EXPECT_EQ(textsOf(log, "[0/1] [__guards]"),
            (std::vector<std::string>{"GUARDS:", "", "TREE_GUARD_MANAGER:", "+- RootGuardManager",
                                      "| +- GLOBAL_STATE: ___check_global_state()",
                                      "| +- GuardManager: source=L['x']",
                                      "| | +- TENSOR_MATCH: check_tensor(L['x'], Tensor)", ""}));
}

TEST(Journal, LogsAGraphUnderItsName) {
  const std::string log = logged("graph_code", [](Journal& journal) {
    Graph graph;
    graph.name = "graph_0_1_0";
    journal.graphCode(kRecompile, SegmentId{0}, graph);
  });
  EXPECT_EQ(textsOf(log, "[0/1] [__graph_code]"),
            (std::vector<std::string>{
                "TRACED GRAPH", " ===== graph_0_1_0 =====", " class GraphModule(torch.nn.Module):",
                "    def forward(self):", "        return ()", ""}));
}

TEST(Journal, SaysOnceWhichSegmentRunsOperatorByOperator) {
  const std::string log = logged("perf_hints", [](Journal& journal) {
    for (int i = 0; i < 3; ++i) {
      journal.plainSegment(kRecompile, SegmentId{2}, 5, "aten::add_: writes to memory", {});
    }
    journal.plainSegment(kRecompile, SegmentId{3}, 1, "takes a generator", {});
  });
  EXPECT_EQ(textsOf(log, "[0/1] [__perf_hints]"),
            (std::vector<std::string>{
                "Segment 2 (5 operators) in user code at unknown runs operator by operator: "
                "aten::add_: writes to memory",
                "Segment 3 (1 operators) in user code at unknown runs operator by operator: "
                "takes a generator"}));
}

TEST(Journal, PrintsFunctionalGraphsAndWhatIsLeftEager) {
  const CompilePlace place{kRecompile, SegmentId{2}};
  const std::string log = logged("aot_graphs,perf_hints", [&](Journal& journal) {
    GraphBuilder build;
    build.output(build.node("aten::sin", "", {{"self", build.input("primals_1", {4})}}, {4}));
    journal.aotGraph(place, "aot_forward_graph", "Forward graph 7", build.graph());
    journal.aotRefused(place, "graph_0_1_2", 3, "takes a generator");
  });
  const auto texts = textsOf(log, "[0/1] [__aot_graphs]");
  ASSERT_EQ(texts.size(), 8U) << log;
  EXPECT_EQ(texts[1], " ===== Forward graph 7 =====");
  EXPECT_EQ(texts[4],
            "        sin: \"f32[4][1]cpu\" = torch.ops.aten.sin.default(primals_1);  "
            "primals_1 = None");
  EXPECT_EQ(texts.back(),
            "graph_0_1_2 (3 operators) is not compiled ahead of time, it runs eagerly: takes a "
            "generator");
}

TEST(Journal, WarnsOfTheRecompileLimitOncePerFrameAndAlways) {
  const std::string log = logged("", [](Journal& journal) {
    const CompileId eighth{FrameId{0}, AttemptId{8}};
    for (int i = 0; i < 3; ++i) {
      journal.recompileLimit(kFrame, eighth, 8, "recompile_limit", "0/7: L['i'] == 7");
    }
  });
  const std::vector<std::string> texts = textsOf(log, "[0/8]");
  EXPECT_EQ(log[0], 'W');
  ASSERT_EQ(texts.size(), 6u);
  EXPECT_EQ(texts[0], "torch._dynamo hit config.recompile_limit (8)");
  EXPECT_EQ(texts[1], "   function: 'step' (model.cpp:12)");
  EXPECT_EQ(texts[2], "   last reason: 0/7: L['i'] == 7");
}

TEST(Journal, WarnsOnceOfLogsThatDoNotExistAndGoesOn) {
  const std::string log = logged(" +recompiles , foo,graph_break,", [](Journal& journal) {
    journal.recompile(kFrame, kRecompile, {}, {});
  });
  const std::string warning =
      "jitscope: JITSCOPE_LOGS: no log named foo, graph_break; there are graph_breaks, "
      "recompiles, guards, graph_code, perf_hints, aot_graphs, output_code, fusion, schedule\n";
  EXPECT_EQ(log.substr(0, warning.size()), warning);
  EXPECT_NE(log.find("[__recompiles] Recompiling function step"), std::string::npos);
}

TEST(Journal, DoesNotMixTheMessagesOfSeveralThreads) {
  const std::string log = logged("recompiles", [](Journal& journal) {
    std::vector<std::thread> threads;
    for (int64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&journal, t] {
        const CompileId id{FrameId{t}, AttemptId{1}};
        GuardFailure failure;
        failure.text = "thread " + std::to_string(t);
        for (int i = 0; i < 50; ++i) journal.recompile(kFrame, id, {failure, failure}, {});
      });
    }
    for (std::thread& thread : threads) thread.join();
  });
  std::istringstream lines(log);
  int64_t count = 0;
  for (std::string first; std::getline(lines, first); ++count) {
    EXPECT_NE(first.find("Recompiling function"), std::string::npos) << first;
    const std::string id = first.substr(first.find("] [") + 1, 6);
    for (int i = 0; i < 3; ++i) {
      std::string next;
      std::getline(lines, next);
      EXPECT_NE(next.find(id), std::string::npos) << next << " follows " << first;
    }
  }
  EXPECT_EQ(count, 200);
}

class JournalFile : public testing::Test {
 protected:
  JournalFile()
      : path_(std::filesystem::temp_directory_path() /
              ("journal_test." + std::to_string(getpid()) + ".jitscope")) {}
  ~JournalFile() override { std::filesystem::remove(path_); }

  trace::TraceFile recorded(const std::function<void(Journal&)>& body) {
    child_ = runInChild({{"JITSCOPE_TRACE", path_.string()}, {"JITSCOPE_LOGS", ""}, {"RANK", "3"}},
                        [&] { body(Journal::instance()); });
    EXPECT_EQ(child_.exitStatus, 0);
    auto file = trace::TraceFile::open(path_);
    EXPECT_TRUE(file) << file.error().text;
    return *file;
  }

  const std::filesystem::path path_;
  ChildResult child_;
};

TEST_F(JournalFile, EndsCleanlyAndSaysWhoseItIs) {
  const trace::TraceFile file =
      recorded([](Journal& journal) { EXPECT_TRUE(journal.isRecording()); });
  EXPECT_EQ(child_.standardError, "");
  EXPECT_TRUE(file.isComplete());
  const auto processes = file.rows<trace::ProcessRow>();
  ASSERT_EQ(processes.size(), 1u);
  EXPECT_EQ(processes[0].parentPid, getpid());
  EXPECT_EQ(processes[0].rank, 3);
  EXPECT_NE(file.text(processes[0].commandLine).find("graph_test"), std::string::npos);
  EXPECT_LE(processes[0].startNs, processes[0].clockRealtimeNs);
  EXPECT_GT(processes[0].startNs, processes[0].clockRealtimeNs - int64_t{3600} * 1'000'000'000);
}

TEST_F(JournalFile, HoldsABreakAndItsLaterPasses) {
  NEEDS_SOURCE_LINES();
  const trace::TraceFile file = recorded([](Journal& journal) {
    const UserStack stack = UserStack::here();
    const BreakReason reason = reasonOfOperator("aten::item", true, false);
    journal.graphBreak(kRecompile, SegmentId{2}, reason, stack, 10, 20);
    for (int i = 0; i < 3; ++i) {
      journal.graphBreakPassed(kRecompile, SegmentId{2}, reason, stack, 30, 40);
    }
  });
  const auto rows = file.rows<trace::GraphBreakRow>();
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0].isFirst, 1);
  EXPECT_EQ(rows[3].isFirst, 0);
  EXPECT_EQ(rows[3].attempt, AttemptId{1});
  EXPECT_EQ(rows[3].after, SegmentId{2});
  EXPECT_EQ(rows[3].endNs, 40);
  EXPECT_EQ(file.text(rows[3].op), "aten::item");
  EXPECT_EQ(file.text(rows[3].reason),
            "Unsupported Tensor.item() call with capture_scalar_outputs=False");
  EXPECT_NE(file.text(rows[0].stack).find("journal_test.cpp:"), std::string::npos);
  EXPECT_EQ(rows[0].stack, rows[3].stack);
}

TEST_F(JournalFile, HoldsGuardsFailuresAndGraphs) {
  const trace::TraceFile file = recorded([](Journal& journal) {
    GuardFailure failure;
    failure.entry = {FrameId{0}, AttemptId{0}};
    failure.kind = "TENSOR_MATCH", failure.cause = "size";
    failure.expected = "4", failure.actual = "8";
    journal.recompile(kFrame, kRecompile, {failure}, UserStack::here());
    journal.guardFailure(failure, {});
    journal.guards(kRecompile, {{"GLOBAL_STATE", "", "a"}, {"TENSOR_MATCH", "L['x']", "b"}});
    Graph graph;
    graph.name = "graph_0_1_0";
    journal.graphCode(kRecompile, SegmentId{0}, graph);
  });
  const auto failures = file.rows<trace::GuardFailureRow>();
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0].caused, AttemptId{1});
  EXPECT_EQ(failures[1].caused, AttemptId::kNone);
  EXPECT_EQ(file.text(failures[0].actual), "8");
  EXPECT_NE(failures[0].stack, trace::StringId{});
  const auto guards = file.rows<trace::GuardRow>();
  ASSERT_EQ(guards.size(), 2u);
  EXPECT_EQ(guards[1].index, 1);
  EXPECT_EQ(file.text(guards[1].source), "L['x']");
  const auto artifacts = file.rows<trace::ArtifactRow>();
  ASSERT_EQ(artifacts.size(), 1u);
  EXPECT_EQ(file.text(artifacts[0].name), "graph_0_1_0");
  EXPECT_EQ(file.text(artifacts[0].content), "def forward(self):\n    return ()\n");
}

TEST_F(JournalFile, NamesTheThreadsThatAskForTheirId) {
  const trace::TraceFile file = recorded([](Journal&) {
    std::thread([] {
      pthread_setname_np(pthread_self(), "worker");
      threadId();
      threadId();
    }).join();
  });
  const auto threads = file.rows<trace::ThreadRow>();
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_EQ(file.text(threads[0].name), "worker");
}

TEST_F(JournalFile, OfAParentThatStillWritesIsLeftAloneAndTheChildsIsBesideIt) {
  const auto parents = trace::FileWriter::create(path_);
  ASSERT_TRUE(parents) << parents.error().text;
  trace::emit(**parents, trace::ThreadRow{.thread = 1});
  child_ =
      runInChild({{"JITSCOPE_TRACE", path_.string()}, {"JITSCOPE_LOGS", ""}}, [] { threadId(); });
  EXPECT_EQ(child_.exitStatus, 0);
  trace::emit(**parents, trace::ThreadRow{.thread = 2});
  EXPECT_EQ((*parents)->close().rows, 2);
  EXPECT_EQ(trace::TraceFile::open(path_)->rowCount(trace::TableId::kThread), 2u);
  const std::string beginning = path_.stem().string() + "-";
  std::filesystem::path childs;  // it alone knows its process id
  for (const auto& entry : std::filesystem::directory_iterator(path_.parent_path())) {
    if (entry.path().filename().string().starts_with(beginning)) childs = entry.path();
  }
  const auto file = trace::TraceFile::open(childs);
  ASSERT_TRUE(file) << file.error().text;
  EXPECT_EQ(file->rowCount(trace::TableId::kThread), 1u);
  std::filesystem::remove(childs);
}

TEST(Journal, WarnsOfAFileThatCannotBeWrittenAndGoesOn) {
  const ChildResult child = runInChild({{"JITSCOPE_TRACE", "/no/such/folder/t.jitscope"}}, [] {
    EXPECT_FALSE(Journal::instance().isRecording());
    Journal::instance().graphBreak(kRecompile, SegmentId{0}, reasonOfPrint(), {}, 0, 0);
  });
  EXPECT_EQ(child.exitStatus, 0);
  EXPECT_EQ(child.standardError.find("jitscope: JITSCOPE_TRACE: /no/such/folder/t.jitscope: "), 0u)
      << child.standardError;
  EXPECT_EQ(std::count(child.standardError.begin(), child.standardError.end(), '\n'), 1);
}

TEST(CompileId, IsFrameAndAttempt) { EXPECT_EQ(kRecompile.text(), "0/1"); }

TEST(ThreadId, IsTheKernels) { EXPECT_EQ(threadId(), gettid()); }

}  // namespace
}  // namespace jitscope::compiler
