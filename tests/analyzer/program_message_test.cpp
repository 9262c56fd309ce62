#include "analyzer/import/program_message.h"

#include <gtest/gtest.h>

#include "tests/analyzer/run_of_log.h"

namespace jitscope::analyzer {
namespace {

/// What a program wrote, and what must be made of it.
struct MessageCase {
  std::string name;
  std::string log;
  std::string id;
  std::vector<std::string> words;  ///< in title, cause or fix
  Certainty certainty = Certainty::kCertain;
};

class ProgramMessages : public testing::TestWithParam<MessageCase> {};

TEST_P(ProgramMessages, AreFindings) {
  const MessageCase& expected = GetParam();
  const Analysis analysis = analyze(runOfLog(expected.log));
  ASSERT_EQ(analysis.findings.size(), 1U);
  const Finding& finding = analysis.findings.front();
  EXPECT_EQ(finding.id, expected.id);
  EXPECT_EQ(finding.advice.certainty, expected.certainty);
  const Advice& advice = finding.advice;
  const std::string told = advice.title + "\n" + advice.cause + "\n" + advice.fix;
  for (const std::string& word : expected.words)
    EXPECT_NE(told.find(word), std::string::npos) << word << "\n" << told;
}

const std::string kKineto = "WARNING:2026-02-03 10:00:01 77:77 init.cpp:";

INSTANTIATE_TEST_SUITE_P(
    Kinds, ProgramMessages,
    testing::Values(
        MessageCase{"SecondProfiler",
                    kKineto +
                        "155] function cbapi->getCuptiStatus() failed with error "
                        "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED (39)\n" +
                        kKineto +
                        "156] CUPTI initialization failed - CUDA profiler activities "
                        "will be missing\n"
                        "INFO:2026-02-03 10:00:01 77:77 init.cpp:158] If you see "
                        "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, refer to the manual\n",
                    "recording/cupti_conflict",
                    {"two profilers", "one tool", "DCGM"}},
        MessageCase{"CuptiThatDoesNotStart",
                    kKineto +
                        "155] function cbapi->getCuptiStatus() failed with error "
                        "CUPTI_ERROR_INVALID_DEVICE (2)\n" +
                        kKineto +
                        "156] CUPTI initialization failed - CUDA profiler activities "
                        "will be missing\n",
                    "recording/cupti_failed",
                    {"CUDA profiler activities will be missing", "jitscope doctor"}},
        MessageCase{"CountersThatAreNotAllowed",
                    "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access "
                    "NVIDIA GPU Performance Counters on the target device 0.\n",
                    "recording/counter_privileges",
                    {"NVreg_RestrictProfilingToAdminUsers=0"}},
        MessageCase{"OperatorsWithoutKernels",
                    "[W collection.cpp:700] Warning: Failed to recover relationship between all "
                    "profiler and kineto events: 51361 vs. 0 reassociated. (function "
                    "reassociate)\n",
                    "recording/not_reassociated",
                    {"51361 vs. 0 reassociated", "before the first CUDA call", "DCGM"},
                    Certainty::kLikely},
        MessageCase{"FullBuffers",
                    "WARNING:2026-02-03 10:00:09 77:80 CuptiActivityApi.cpp:160] Exceeded max GPU "
                    "buffer count (33 > 33) - terminating tracing\n",
                    "recording/buffers_full",
                    {"stopped early", "ACTIVITIES_MAX_GPU_BUFFER_SIZE_MB"}},
        MessageCase{"DroppedRecords",
                    "INFO:2026-02-03 10:00:09 77:77 CuptiActivityProfiler.cpp:300] Record counts: "
                    "Out-of-range = 12, Blocklisted runtime = 90, Invalid ext correlations = 0\n",
                    "recording/out_of_range",
                    {"Out-of-range = 12", "warmup"},
                    Certainty::kUnknown},
        MessageCase{
            "LibraryWithoutKineto",
            "terminate called after throwing an instance of 'c10::Error'\n  what():  Saving "
            "a trace requires using torch.profiler with Kineto support (USE_KINETO=1)\n",
            "recording/built_without_kineto",
            {"built without Kineto", "USE_KINETO=1", "jitscope record"}},
        MessageCase{
            "ModelCalledWithAnotherSize",
            "Error: input_handles[0]: unmatched dim value at 0, expected: 4, but got: 8\n"
            "terminate called after throwing an instance of 'std::runtime_error'\n"
            "  what():  run_func_( container_handle_, input_handles.data()) API call failed "
            "at /pytorch/torch/csrc/inductor/aoti_runner/model_container_runner.cpp, line "
            "107\n",
            "program_error/aoti_input_shape",
            {"input_handles[0]: unmatched dim value at 0, expected: 4, but got: 8",
             "dynamic_shapes", "AOTI_RUNTIME_CHECK_INPUTS"}},
        MessageCase{"ModelCalledBelowItsRange",
                    "Error: input_handles[1]: dim value is too small at 0, expected it to be >= 2, "
                    "but got: 1\n",
                    "program_error/aoti_input_shape",
                    {"too small at 0"}},
        MessageCase{"ModelCalledWithAnotherType",
                    "Error: input_handles[0]: unmatched dtype, expected: 6(at::kFloat), but got: "
                    "15\n",
                    "program_error/aoti_input_dtype",
                    {"unmatched dtype", ".to("}},
        MessageCase{"ModelCalledWithAnotherLayout",
                    "Error: input_handles[0]: unmatched stride value at 1, expected: 1, but got: "
                    "8\n",
                    "program_error/aoti_input_stride",
                    {"contiguous()"}},
        MessageCase{"ModelCalledWithOtherInputs",
                    "  what():  expected inputs vector size to be 1, but got 3\n",
                    "program_error/aoti_input_count",
                    {"user_inputs"}},
        MessageCase{
            "ModelWhoseOperatorNoticesTheSize",
            "Error: mat1 and mat2 shapes cannot be multiplied (3x1 and 2x1)\n"
            "  what():  run_func_( container_handle_, input_handles.data()) API call failed "
            "at /pytorch/torch/csrc/inductor/aoti_runner/model_container_runner.cpp, line "
            "107\n",
            "program_error/aoti_operator_size",
            {"(3x1 and 2x1)", "wrong silently", "dynamic_shapes"},
            Certainty::kLikely},
        MessageCase{
            "ModelThatFailsForAnUnknownReason",
            "  what():  run_func_( container_handle_, input_handles.data()) API call failed "
            "at /pytorch/torch/csrc/inductor/aoti_runner/model_container_runner.cpp, line "
            "107\n",
            "program_error/aoti_failed",
            {"AOTI_RUNTIME_CHECK_INPUTS=1", "stderr"},
            Certainty::kUnknown},
        MessageCase{"GeneratedCodeWithoutItsSize",
                    "/tmp/aoti/model.wrapper.cpp:812:45: error: \xe2\x80\x98s1\xe2\x80\x99 was not "
                    "declared in this scope\n",
                    "program_error/aoti_undeclared_size",
                    {"the size s1", "newer torch"},
                    Certainty::kLikely},
        MessageCase{"GeneratedCodeWithoutItsSizeInClang",
                    "/tmp/aoti/model.wrapper.cpp:812:45: error: use of undeclared identifier "
                    "'s77'\n",
                    "program_error/aoti_undeclared_size",
                    {"the size s77"},
                    Certainty::kLikely},
        MessageCase{"ProgramLinkedWithoutCuda",
                    "  what():  Cannot initialize CUDA without ATen_cuda library. PyTorch splits "
                    "its backend into two shared libraries\n",
                    "program_error/cuda_not_linked",
                    {"--no-as-needed"}}),
    [](const auto& info) { return info.param.name; });

TEST(ProgramMessage, ASizeThatNoModelComplainsOfIsNoFinding) {
  const Analysis analysis =
      analyze(runOfLog("Error: mat1 and mat2 shapes cannot be multiplied (3x1 and 2x1)\n"));
  EXPECT_TRUE(analysis.findings.empty());
}

TEST(ProgramMessage, OtherErrorsAreNotOfTheseTopics) {
  for (const char* line :
       {"INFO:2026 1:1 init.cpp:158] If you see CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, refer to",
        "main.cpp:3:1: error: 'foo' was not declared in this scope",
        "main.cpp:3:1: error: use of undeclared identifier 'size'",
        "Record counts: Out-of-range = 0, Blocklisted runtime = 4", "mat1 and mat2 shapes"})
    EXPECT_FALSE(parseProgramMessage(line)) << line;
}

}  // namespace
}  // namespace jitscope::analyzer
