#include <gtest/gtest.h>

#include "analyzer/diagnoses/cudagraph_trouble.h"
#include "tests/analyzer/run_of_log.h"

namespace jitscope::analyzer {
namespace {

/// What a log says of CUDA graphs, and what must be made of it.
struct GraphCase {
  std::string name;
  std::string log;
  std::string id;
  int64_t count = 1;
  std::vector<std::string> words;  ///< in title, cause or fix
};

class Cudagraphs : public testing::TestWithParam<GraphCase> {};

TEST_P(Cudagraphs, AreToldWithCauseAndFix) {
  const GraphCase& expected = GetParam();
  const Analysis analysis = analyze(runOfLog(expected.log));
  ASSERT_EQ(analysis.findings.size(), 1U);
  const Finding& finding = analysis.findings.front();
  EXPECT_EQ(finding.kind, FindingKind::kCudagraph);
  EXPECT_EQ(finding.id, expected.id);
  EXPECT_EQ(finding.count(), expected.count);
  const Advice& advice = finding.advice;
  const std::string told = advice.title + "\n" + advice.cause + "\n" + advice.fix;
  for (const std::string& word : expected.words)
    EXPECT_NE(told.find(word), std::string::npos) << word << "\n" << told;
}

const std::string kPrefix =
    "W0612 10:00:08.494000 4242 torch/_inductor/cudagraph_utils.py:90] [2/0] [__cudagraphs] ";

INSTANTIATE_TEST_SUITE_P(
    Kinds, Cudagraphs,
    testing::Values(
        GraphCase{"MutatedInputIsNamed",
                  kPrefix +
                      "skipping cudagraphs due to mutated inputs (2 instances). Found from : \n" +
                      kPrefix + "   File \"/srv/cache.py\", line 90, in update\n" + kPrefix +
                      "     self.k_out.index_copy_(2, pos, k)\n",
                  "cudagraph/mutated_input/cache.py:90",
                  1,
                  {"self.k_out is mutated in place", "graph 2/0",
                   "`self.k_out.index_copy_(2, pos, k)`", "mark_static_address(self.k_out)"}},
        GraphCase{
            "MutatedInputOfEveryRank",
            "[rank0]:" + kPrefix + "skipping cudagraphs due to mutated inputs (1 instances)\n" +
                "[rank1]:" + kPrefix + "skipping cudagraphs due to mutated inputs (1 instances)\n",
            "cudagraph/mutated_input/2/0",
            2,
            {"an input is mutated in place", "not in this log"}},
        GraphCase{"HostDevice",
                  "skipping cudagraphs due to skipping cudagraphs due to cpu device (primals_88). "
                  "Found from : \n   File \"/srv/dvae.py\", line 493, in sample\n"
                  "    tau = torch.as_tensor(temp)\n",
                  "cudagraph/cpu_device/dvae.py:493",
                  1,
                  {"primals_88 is on the CPU", "device=x.device", "torch.as_tensor(temp)"}},
        GraphCase{"SeveralDevices",
                  "/srv/t.py:3: UserWarning: skipping cudagraphs due to multiple devices: "
                  "device(type='cuda', index=0), device(type='cuda', index=1)\n",
                  "cudagraph/several_devices",
                  1,
                  {"index=1", "one device"}},
        GraphCase{
            "SeveralDevicesOf2023",
            "skipping cudagraphs due to ['multiple device indices without cudagraph_trees']\n",
            "cudagraph/several_devices",
            1,
            {"one device"}},
        GraphCase{"IncompatibleOperator",
                  kPrefix +
                      "skipping cudagraphs due to disabling cudagraphs due to incompatible op "
                      "aten._local_scalar_dense.default Found from File \"/srv/kv.py\", line "
                      "217, in append\n" +
                      kPrefix + "    start = self.index[i].item()\n",
                  "cudagraph/incompatible_op/kv.py:217",
                  1,
                  {"aten._local_scalar_dense.default cannot be recorded", ".item()",
                   "`start = self.index[i].item()`"}},
        GraphCase{"IncompatibleOperatorsOf2023",
                  "skipping cudagraphs due to ['incompatible ops']\n",
                  "cudagraph/incompatible_op",
                  1,
                  {"does not say which"}},
        GraphCase{"DynamicSizes",
                  kPrefix + "skipping cudagraphs due to graph with symbolic shapes inputs and "
                            "config.triton.cudagraph_skip_dynamic_graphs=True.\n",
                  "cudagraph/dynamic_sizes/2/0",
                  1,
                  {"cudagraph_skip_dynamic_graphs", "pad inputs"}},
        GraphCase{"MovedInput",
                  kPrefix +
                      "skipping cudagraph due to function 0 exceeding max re-recording limit "
                      "(=128) on cudagraph node None due to static input data pointer "
                      "changed.\n" +
                      kPrefix +
                      "input name: primals_2. data pointer changed from 1 to 2. input "
                      "stack trace: None\n",
                  "cudagraph/moved_input/2/0",
                  1,
                  {"static input data pointer changed", "copy_()"}},
        GraphCase{"Partition",
                  kPrefix + "cudagraph partition due to non gpu ops. Found from : \n" + kPrefix +
                      "   File \"/srv/m.py\", line 8, in forward\n" + kPrefix +
                      "     v = x.sum().cpu()\n",
                  "cudagraph/partitioned/m.py:8",
                  1,
                  {"non gpu ops", "v = x.sum().cpu()"}},
        GraphCase{"SizesWithoutTheirRecordings",
                  kPrefix + "CUDAGraph supports dynamic shapes by recording a new graph for each "
                            "distinct input size. Recording too many CUDAGraphs may lead to extra "
                            "overhead. We have observed 9 distinct sizes. Please consider\n",
                  "cudagraph/rerecorded/2/0",
                  9,
                  {"9 recordings", "TORCH_LOGS=\"cudagraphs\""}},
        GraphCase{"KeysOfSeveralSizes",
                  kPrefix + "Recording cudagraph tree for symint key (8, 128)\n" + kPrefix +
                      "Recording cudagraph tree for symint key (8, 256)\n" + kPrefix +
                      "Recording cudagraph tree for symint key (8, 128)\n",
                  "cudagraph/rerecorded/2/0",
                  3,
                  {"(8, 128), (8, 256)"}},
        GraphCase{
            "OverwrittenOutput",
            "RuntimeError: Error: accessing tensor output of CUDAGraphs that has been "
            "overwritten by a subsequent run. Stack trace: File \"/srv/net.py\", line 23, in "
            "forward\n    x = F.relu(self.fc1(x)). To prevent overwriting, clone the tensor\n",
            "cudagraph/overwritten_output/net.py:23",
            1,
            {"clone()", "mark_step_begin", "`x = F.relu(self.fc1(x))`"}},
        GraphCase{
            "PendingBackward",
            "UserWarning: Unable to hit fast path of CUDAGraphs because of pending, uninvoked "
            "backwards. Consider running with torch.no_grad()\n",
            "cudagraph/pending_backward",
            1,
            {"no_grad", "mark_step_begin"}},
        GraphCase{"CaptureThatFailedInCpp",
                  "terminate called after throwing an instance of 'c10::Error'\n  what():  CUDA "
                  "error: operation not permitted when stream is capturing\n",
                  "cudagraph/capture_failed",
                  1,
                  {"operation not permitted when stream is capturing", "at::cuda::CUDAGraph",
                   "warm-up"}}),
    [](const auto& info) { return info.param.name; });

TEST(Cudagraph, SkipsForSeveralReasonsAreSeveralFindings) {
  const Analysis analysis =
      analyze(runOfLog("skipping cudagraphs due to ['mutated inputs', 'incompatible ops']\n"));
  EXPECT_EQ(analysis.findings.size(), 2U);
}

TEST(Cudagraph, RecordingEachGraphOnceIsNoTrouble) {
  const Analysis analysis =
      analyze(runOfLog(kPrefix + "recording cudagraph tree for graph without symints\n" + kPrefix +
                       "Recording function 0 of graph recording id 0\n"));
  EXPECT_TRUE(analysis.findings.empty());
}

TEST(Cudagraph, MutatedTensorsAreReadOffTheLine) {
  EXPECT_EQ(mutatedTensor("k_out.index_copy_(2, pos, k)"), "k_out");
  EXPECT_EQ(mutatedTensor("self.state.mul_(0.9).add_(x)"), "self.state");
  EXPECT_EQ(mutatedTensor("caches[i].copy_(y)"), "caches[i]");
  EXPECT_EQ(mutatedTensor("x[:, 0] = 1"), "x[:, 0]");
  EXPECT_EQ(mutatedTensor("self.count += 1"), "self.count");
  EXPECT_EQ(mutatedTensor("torch.relu_(x)"), "x");
  EXPECT_EQ(mutatedTensor("y = model(x)"), "");
  EXPECT_EQ(mutatedTensor("super().__init__(x)"), "");
}

}  // namespace
}  // namespace jitscope::analyzer
