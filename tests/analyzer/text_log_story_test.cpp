#include <gtest/gtest.h>

#include <string>

#include "analyzer/import/line_splitter.h"
#include "analyzer/recording_notes.h"
#include "analyzer/report.h"
#include "tests/analyzer/run_of_log.h"

namespace jitscope::analyzer {
namespace {

/// A message as the log prints it: the prefix on every line.
std::string message(const std::string& tags, const std::string& text,
                    const std::string& site = "torch/_dynamo/guards.py:4760",
                    const std::string& time = "10:00:00.500000") {
  const std::string prefix = "V0612 " + time + " 42 " + site + "] " + tags + " ";
  std::string log = prefix;
  for (const char c : text) {
    log += c;
    if (c == '\n') log += prefix;
  }
  return log + '\n';
}

TEST(TextLogStory, OurOwnLogsAreReadToo) {
  const std::string site = "compiler/journal/journal.cpp:88";
  const analyzer::Run run = runOfLog(
      message(
          "[0/0] [__graph_breaks]",
          "Graph break in user code at step.cpp:9\nGraph Break Reason: Data-dependent branching\n"
          "  Explanation: no\n\n  Developer debug context: aten::is_nonzero\n\n"
          "User code traceback:\n  File \"step.cpp\", line 9, in step(at::Tensor)\n",
          site) +
      message(
          "[0/1] [__recompiles]",
          "Recompiling function step in step.cpp:5\n    triggered by the following guard "
          "failure(s):\n    - 0/0: tensor 'L['x']' size mismatch at index 0. expected 4, actual 8",
          site));
  const Analysis analysis = analyze(run);
  ASSERT_EQ(analysis.findings.size(), 2U);
  for (const Finding& finding : analysis.findings) {
    EXPECT_EQ(finding.advice.fix.find("torch._dynamo"), std::string::npos) << finding.advice.fix;
    EXPECT_EQ(finding.place.file, "step.cpp");
  }
}

TEST(TextLogStory, ALineThatIsTooLongIsCutAndTold) {
  const std::string at = "V0401 12:34:56.789000 42 torch/x.py:7] [0/1] [__recompiles] ";
  const std::string longLine(LineSplitter::kLongestLine + (size_t{2} << 20), 'x');
  const analyzer::Run run =
      runOfLog(at + longLine + "\n" + at + "Recompiling function f in /x.py:1\n");
  EXPECT_EQ(inputCount(run, "recompiling"), 1);
  ASSERT_EQ(run.inputs.size(), 1U);
  ASSERT_EQ(run.inputs.front().losses.size(), 1U);
  EXPECT_EQ(run.inputs.front().losses.front().text, kTooLongLine);
  EXPECT_EQ(run.inputs.front().losses.front().amount, 1);
}

TEST(TextLogStory, TheWarningAndTheLogOfABreakAreOneBreak) {
  const std::string stack = "  File \"/srv/app.py\", line 9, in step\n    x.item()\n";
  const analyzer::Run run =
      runOfLog(message("[0/0]",
                       "Graph break from `Tensor.item()`, consider setting:\n    x = True\n\n"
                       "Graph break: from user code at:\n" +
                           stack,
                       "torch/_dynamo/variables/tensor.py:1379") +
               message("[0/0] [__graph_breaks]",
                       "Graph break in user code at /srv/app.py:9\nGraph Break Reason: Unsupported "
                       "Tensor.item() call\n\nUser code traceback:\n" +
                           stack,
                       "torch/_dynamo/symbolic_convert.py:5127"));
  ASSERT_EQ(run.breaks.size(), 1U);
  EXPECT_EQ(run.text(run.breaks.begin()->reason), "Unsupported Tensor.item() call");
}

TEST(TextLogStory, ACompilationLastsFromItsFirstToItsLastLine) {
  const analyzer::Run run =
      runOfLog(message("[0/0]", "create_env", "torch/fx/experimental/symbolic_shapes.py:3945") +
               message("[0/0] [__guards]", "GUARDS:\n  L['n'] == 3", "torch/_dynamo/guards.py:4204",
                       "10:00:02.750000") +
               message("[0/0] [__cudagraphs]", "recording cudagraph tree for symint key 9",
                       "torch/_inductor/cudagraph_trees.py:420", "10:00:09.000000"));
  ASSERT_EQ(run.compiles.size(), 1U);
  EXPECT_EQ(run.compiles.begin()->costNs(), 2'250'000'000);
  ASSERT_EQ(run.guards.size(), 1U);
}

TEST(TextLogStory, TheLinesOfAUsersStackAreNoReasons) {
  const analyzer::Run run = runOfLog(message(
      "[3/1] [__recompiles]",
      "Recompiling function g in /srv/w.py:33\n    triggered by the following guard failure(s):\n"
      "    - 3/0: G['s'] == 0   # y  # rv/w.py:33 in g\n    - User stack trace:\n"
      "    -   File \"/srv/w.py\", line 33, in g\n    -     y = x * s\n"
      "    - 3/0: L['n'] == 1"));
  ASSERT_EQ(run.guardFailures.size(), 2U);
  EXPECT_EQ(run.text(run.guardFailures.begin()->stack), "/srv/w.py:33 g");
}

TEST(TextLogStory, VerboseReasonsAreReadByTheirBlocks) {
  const analyzer::Run run = runOfLog(message(
      "[0/2] [__recompiles_verbose]",
      "Recompiling function f in /srv/w.py:3\n    triggered by the following guard failure(s):\n"
      "    guard 0 failures:\n    - 0/1: L['x'] == 2\n\n    guard 1 failures:\n    - 0/0: L['x'] "
      "== 1"));
  EXPECT_EQ(run.guardFailures.size(), 2U);
}

TEST(TextLogStory, ALimitIsNoCompilation) {
  const analyzer::Run run = runOfLog(
      message("[3/8] [__recompiles]",
              "Recompiling function g in /srv/w.py:33\n    triggered by the following guard "
              "failure(s):\n    - 3/7: G['s'] == 7") +
      message("[3/8]",
              "torch._dynamo hit config.recompile_limit (8)\n   function: 'g' (/srv/w.py:33)\n"
              "   last reason: 3/7: G['s'] == 7\nTo log all recompilation reasons, use "
              "TORCH_LOGS=\"recompiles\".",
              "torch/_dynamo/convert_frame.py:1016"));
  EXPECT_EQ(run.compiles.size(), 0U);
  ASSERT_EQ(run.calls.size(), 1U);
  ASSERT_EQ(run.guardFailures.size(), 1U);
  EXPECT_EQ(run.guardFailures.begin()->caused, trace::AttemptId::kNone);
}

TEST(TextLogStory, ABackendThatGivesUpIsAFailedCompilation) {
  const analyzer::Run run = runOfLog(
      "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: no\n"
      "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\nAssertionError: no\n");
  EXPECT_EQ(inputCount(run, "backend_fail"), 2);
  ASSERT_EQ(run.compiles.size(), 2U);
  EXPECT_NE(run.text(run.compiles.begin()->failure).find("AssertionError"), std::string::npos);
}

TEST(TextLogStory, FramesWithoutNumbersGetSomeOfTheirOwn) {
  const analyzer::Run run = runOfLog(
      message("[0/0]", "create_env", "torch/fx/experimental/symbolic_shapes.py:3945") +
      message("[__recompiles]", "Recompiling function f in /srv/a.py:3\n    - L['n'] == 1") +
      message("[__recompiles]", "Recompiling function g in /srv/a.py:9\n    - L['n'] == 1") +
      message("[__recompiles]", "Recompiling function f in /srv/a.py:3\n    - L['n'] == 2"));
  EXPECT_EQ(run.frames.size(), 3U);
  EXPECT_EQ(run.compiles.size(), 4U);
}

TEST(TextLogStory, ASkippedFrameIsWorseThanABreak) {
  const Analysis analysis = analyze(runOfLog(
      message(
          "[0/0] [__graph_breaks]",
          "Graph break in user code at /srv/a.py:2\nGraph Break Reason: Data-dependent branching\n"
          "User code traceback:\n  File \"/srv/a.py\", line 2, in f\n") +
      message("[1/0] [__graph_breaks]",
              "Graph break: skip: from user code at:\n  File \"/srv/a.py\", line 9, in g\n")));
  ASSERT_EQ(analysis.findings.size(), 2U);
  EXPECT_EQ(analysis.findings[0].causeClass, "frame_skip");
  EXPECT_EQ(analysis.findings[0].place.line, 9);
}

TEST(TextLogStory, CudagraphSkipsWithoutAPlaceSaySo) {
  const Analysis analysis =
      analyze(runOfLog("skipping cudagraphs due to ['mutated inputs']\n"
                       "skipping cudagraphs due to ['non-cuda device in graph']\n"
                       "skipping cudagraphs due to ['mutated inputs']\n"));
  ASSERT_EQ(analysis.findings.size(), 2U);
  EXPECT_EQ(analysis.findings[0].causeClass, "mutated_input");
  EXPECT_EQ(analysis.findings[0].count(), 2);
  EXPECT_NE(analysis.findings[0].advice.cause.find("not in this log"), std::string::npos);
}

TEST(TextLogStory, ABreakThatEndedTheProgramIsAFailedCompilation) {
  const Analysis analysis =
      analyze(runOfLog("torch._dynamo.exc.Unsupported: Data-dependent branching\n"
                       "  Explanation: Detected data-dependent branching\n\nfrom user code:\n"
                       "   File \"/srv/init.py\", line 12, in init\n    if (mean < a).any():\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].id, "failed_compile/fullgraph/control_flow/init.py:12");
  EXPECT_NE(analysis.findings[0].advice.fix.find("torch.where"), std::string::npos);
  const Analysis extension = analyze(runOfLog(
      "torch._dynamo.exc.Unsupported: Graph break due to unsupported builtin "
      "ext.PyCapsule.exl3_gemm. This function is either a Python builtin\n\nfrom user code:\n"
      "   File \"/srv/linear.py\", line 7, in forward\n    ext.exl3_gemm(x)\n"));
  ASSERT_EQ(extension.findings.size(), 1U);
  EXPECT_EQ(extension.findings[0].kind, FindingKind::kFailedCompile);
  EXPECT_NE(extension.findings[0].id.find("unregistered_extension"), std::string::npos);
  EXPECT_EQ(extension.findings[0].place.line, 7);
}

TEST(TextLogStory, AnExceptionThatCausedTheNextIsToldOnce) {
  const Analysis analysis =
      analyze(runOfLog("torch._inductor.exc.CppCompileError: C++ compile error\n\n"
                       "The above exception was the direct cause of the following exception:\n\n"
                       "torch._dynamo.exc.BackendCompilerFailed: backend='inductor' raised:\n"
                       "CppCompileError: C++ compile error\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_NE(analysis.findings[0].advice.fix.find("C++ compiler"), std::string::npos);
}

TEST(TextLogStory, TheExceptionOfAnOldTracebackIsTheBreakItself) {
  const Analysis analysis = analyze(runOfLog(
      "Graph break: from user code at:\n  File \"/srv/a.py\", line 4, in f\n    x.item()\n"
      "Traceback (most recent call last):\n  File \"/env/torch/_dynamo/x.py\", line 9, in step\n"
      "torch._dynamo.exc.Unsupported: Tensor.item\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].kind, FindingKind::kGraphBreak);
}

TEST(TextLogStory, AViolatedConstraintIsASpecialisedSize) {
  const Analysis analysis = analyze(runOfLog(
      "torch.fx.experimental.symbolic_shapes.ConstraintViolationError: Constraints violated "
      "(batch)! For more information, run with TORCH_LOGS=\"+dynamic\".\n"
      "  - Not all values of batch = L['x'].size()[0] in the specified range are valid because "
      "batch was inferred to be a constant (256).\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].kind, FindingKind::kSpecializedSize);
  EXPECT_NE(analysis.findings[0].advice.title.find("256"), std::string::npos);
  EXPECT_NE(analysis.findings[0].advice.fix.find("TORCH_LOGS=\"dynamic\""), std::string::npos);
}

TEST(TextLogStory, AnOldLimitHasOneReasonOrAList) {
  const auto guardsOf = [](const std::string& reasons) {
    const analyzer::Run run = runOfLog(
        "[2023-03-20 10:00:00,123] torch._dynamo.convert_frame: [WARNING] torch._dynamo hit "
        "config.cache_size_limit (64)\n   function: 'forward' (/srv/net.py:120)\n   reasons:  " +
        reasons + "\nto diagnose recompilation issues, see https://pytorch.org/docs\n");
    std::vector<std::string> guards;
    for (const GuardFailure& failure : run.guardFailures)
      guards.emplace_back(run.text(failure.text));
    return guards;
  };
  EXPECT_EQ(guardsOf("x.size()[0] == 4"), std::vector<std::string>{"x.size()[0] == 4"});
  EXPECT_EQ(guardsOf("['x.size()[0] == 4', \"L['n'] == 7\"]"),
            (std::vector<std::string>{"x.size()[0] == 4", "L['n'] == 7"}));
}

TEST(TextLogStory, ABreakWithoutAClassIsToldInTheCompilersWords) {
  const auto adviceOf = [](const std::string& hint) {
    const Analysis analysis = analyze(runOfLog(message(
        "[0/0] [__graph_breaks]",
        "Graph break in user code at /srv/a.py:80\nGraph Break Reason: Strange call\n  "
        "Explanation: Dynamo does not know what `foo` is.\n" +
            hint + "\nUser code traceback:\n  File \"/srv/a.py\", line 80, in p\n    foo(x)")));
    EXPECT_EQ(analysis.findings.size(), 1U);
    return analysis.findings.empty() ? Advice() : analysis.findings.front().advice;
  };
  const Advice bare = adviceOf("");
  EXPECT_NE(bare.cause.find("Dynamo does not know what `foo` is"), std::string::npos) << bare.cause;
  EXPECT_EQ(bare.fix.find("TORCH_LOGS"), std::string::npos) << bare.fix;
  const Advice forDevelopers = adviceOf(
      "  Hint: It may be possible to write Dynamo tracing rules for this code.\n\n For more "
      "details about this graph break, please visit: https://e.org/gb/gb0038.html");
  EXPECT_EQ(forDevelopers.fix.find("tracing rules"), std::string::npos) << forDevelopers.fix;
  EXPECT_EQ(forDevelopers.fix.find('\n'), std::string::npos) << forDevelopers.fix;
  EXPECT_NE(forDevelopers.fix.find("; see https://e.org/gb/gb0038.html"), std::string::npos);
  EXPECT_EQ(adviceOf("  Hint: Avoid calling `foo`.").fix, "Avoid calling `foo`");
}

TEST(TextLogStory, AnOverloadIsTheOperatorThatBreaks) {
  const Analysis analysis = analyze(runOfLog(message(
      "[0/0] [__graph_breaks]",
      "Graph break in user code at /srv/a.py:60\nGraph Break Reason: Dynamic shape operator\n\n  "
      "Developer debug context: aten.nonzero.default\n\nUser code traceback:\n  File "
      "\"/srv/a.py\", line 60, in n\n    i = torch.nonzero(x)")));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].causeClass, "dynamic_shape");
  EXPECT_NE(analysis.findings[0].advice.cause.find("aten::nonzero ends the graph"),
            std::string::npos)
      << analysis.findings[0].advice.cause;
}

TEST(TextLogStory, OfALimitMessagesAreCountedNotCalls) {
  const Analysis analysis = analyze(runOfLog(
      message("[2/8]",
              "torch._dynamo hit config.recompile_limit (8)\n   function: 'f' (/srv/m.py:6)\n   "
              "last reason: 2/7: L['n'] == 3",
              "torch/_dynamo/convert_frame.py:1016") +
      "torch._dynamo.exc.FailOnRecompileLimitHit: recompile_limit reached with fullgraph=True.\n"));
  ASSERT_FALSE(analysis.findings.empty());
  EXPECT_EQ(analysis.findings[0].evidence[0].what, "limit messages");
  EXPECT_EQ(analysis.findings[0].advice.cause.find("mostly"), std::string::npos);
}

TEST(TextLogStory, AConstraintOfAnExportIsASpecialisedSizeToo) {
  const Analysis analysis = analyze(runOfLog(
      "torch._dynamo.exc.UserError: Constraints violated (L['x'].size()[0])! For more information, "
      "run with TORCH_LOGS=\"+dynamic\".\n  - You marked L['x'].size()[0] as dynamic but your code "
      "specialized it to be a constant (16). If you're using mark_dynamic, either remove it.\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].kind, FindingKind::kSpecializedSize);
  EXPECT_NE(analysis.findings[0].advice.title.find("16"), std::string::npos);
}

TEST(TextLogStory, RanksThatRecompileOnceEachSayNothingAgainstAutomaticShapes) {
  std::string log;
  for (const char* const rank : {"[rank0]:", "[rank1]:"})
    log += rank + message("[0/1] [__recompiles]", "Recompiling function f in /srv/w.py:3") + rank +
           message("[0/1] [__recompiles]",
                   "    - 0/0: tensor 'L['x']' size mismatch at index 0. expected 4, actual 8");
  const Analysis analysis = analyze(runOfLog(log));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].count(), 2);
  EXPECT_NE(analysis.findings[0].advice.cause.find("does not tell whether it did"),
            std::string::npos)
      << analysis.findings[0].advice.cause;
}

TEST(Report, OfALogLeavesOpenWhatItDoesNotTell) {
  const std::string front =
      "V0612 10:00:00.137000 42 torch/_dynamo/guards.py:3006] [0/1] [__recompiles] ";
  const analyzer::Run run = runOfLog(front + "Recompiling function <lambda> in /srv/a.py:3\n" +
                                     front + "    triggered by the following guard failure(s):\n" +
                                     front + "    - 0/0: L['n'] == 3\n");
  const std::string text = renderReport(run, analyze(run), ReportFormat::kText);
  EXPECT_NE(text.find("/srv/a.py:3 in <lambda>"), std::string::npos) << text;
  EXPECT_EQ(text.find("0 ns  "), std::string::npos) << text;
}

TEST(RecordingNotes, OfACutFileOfAnotherToolSayNothingOfOurWriter) {
  const analyzer::Run run = runOfLog(
      "V0612 10:00:00.500000 42 torch/_logging/structured.py:19] {\"dynamo_output_graph\": {}, "
      "\"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": "
      "\"0123456789abcdef0123456789abcdef\"}\n\tclass Graph");
  ASSERT_FALSE(run.processes[ProcessIndex{0}].isComplete);
  for (const std::string& note : recordingNotes(run))
    EXPECT_EQ(note.find("250 ms"), std::string::npos) << note;
}

TEST(TextLogStory, AnOverwrittenOutputIsToldWithItsPlace) {
  const Analysis analysis = analyze(runOfLog(
      "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been overwritten by a "
      "subsequent run. Stack trace: \n  File \"/srv/m.py\", line 5, in forward\n    return y\n"));
  ASSERT_EQ(analysis.findings.size(), 1U);
  EXPECT_EQ(analysis.findings[0].causeClass, "overwritten_output");
  EXPECT_EQ(analysis.findings[0].place.line, 5);
  EXPECT_NE(analysis.findings[0].advice.fix.find("clone()"), std::string::npos);
}

}  // namespace
}  // namespace jitscope::analyzer
