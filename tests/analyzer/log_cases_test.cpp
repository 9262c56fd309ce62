#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/analyzer/run_of_log.h"

namespace jitscope::analyzer {
namespace {

/// What a person who asked for help with a log should have been told.
struct LogCase {
  std::string file;
  std::string id;                  ///< how the finding's id begins
  std::string place;               ///< in full; empty where the log does not tell
  int64_t count = 0;               ///< how often it happened
  std::vector<std::string> words;  ///< in title, cause or fix
  std::vector<std::string> never;  ///< words that would be wrong advice
};

class LogCases : public testing::TestWithParam<LogCase> {};

TEST_P(LogCases, GetTheRightAnswer) {
  const LogCase& expected = GetParam();
  const Analysis analysis = analyze(runOfLogFile(expected.file));
  std::vector<Finding> found;
  std::string ids;
  for (const Finding& finding : analysis.findings) {
    ids += finding.id + "\n";
    if (finding.id.starts_with(expected.id)) found.push_back(finding);
  }
  ASSERT_EQ(found.size(), 1U) << ids;
  EXPECT_EQ(fullText(found[0].place), expected.place);
  EXPECT_EQ(found[0].count(), expected.count);
  const std::string told =
      found[0].advice.title + "\n" + found[0].advice.cause + "\n" + found[0].advice.fix;
  for (const std::string& word : expected.words)
    EXPECT_NE(told.find(word), std::string::npos) << word << "\n" << told;
  for (const std::string& word : expected.never)
    EXPECT_EQ(told.find(word), std::string::npos) << word << "\n" << told;
}

INSTANTIATE_TEST_SUITE_P(
    Threads, LogCases,
    testing::Values(
        LogCase{"C001_old_tuple_format.log",
                "recompile/scalar/t/",
                "/srv/kf/filter.py",
                9,
                {"Python int", "guarded by its value", "pass t as a tensor"},
                {"mark_dynamic"}},
        LogCase{"C002_global_state_bare.log",
                "recompile/global_state/",
                "/srv/a.py:3",
                1,
                {"inference_mode", "grad_mode", "autocast", "deterministic", "num_threads",
                 "newer torch names"}},
        LogCase{"C006_rank_prefixed_limit.log",
                "recompile_limit/",
                "/srv/decoder/detail.py:131",
                2,
                {"size 2 of images", "1696", "1248", "meta registration", "DDPOptimizer",
                 "TORCHDYNAMO_EXTENDED_DEBUG_GUARD_ADDED", "runs eagerly"}},
        LogCase{"C007_param_guard_fullgraph.log",
                "recompile_limit/",
                "/srv/opt/muon.py:621",
                1,
                {"fatal", "fullgraph", "shape of a parameter", "recompile_limit",
                 "force_parameter_static_shapes = False"}},
        LogCase{"C009_interleaved_tqdm.log",
                "recompile_limit/",
                "/env/q/int.py:118",
                1,
                {"size 0 of v", "2048", "512", "mark_dynamic(v, 0)"}},
        LogCase{"C013_betas_float_every_step.log",
                "recompile/optimizer_state/",
                "/srv/train.py:20",
                7,
                {"betas", "cycle_momentum=False", "tensor lr alone is not enough"}},
        LogCase{"C015_attn_processor_objid.log",
                "recompile/object/",
                "/srv/transformer.py:381",
                8,
                {"attn", "processor", "of its own", "share one object", "recompile_limit",
                 "newer torch"}},
        LogCase{"C017_counter_attr.log",
                "recompile/attribute/self.counter/",
                "/srv/counter.py:9",
                3,
                {"self.counter", "buffer", "allow_unspec_int_on_nn_module"}},
        LogCase{"C020_kv_size_attr.log",
                "recompile/attribute/",
                "/srv/venv/torch/_dynamo/external_utils.py:38",
                5,
                {"kv_cache", "size", "buffer"}},
        LogCase{"C024_flex_limit_silent_fallback.log",
                "recompile_limit/",
                "/srv/torch/nn/attention/flex_attention.py:1200",
                1,
                {"unfused eager fallback", "scores", "mask_mod", "define the function"}},
        LogCase{"C029_dispatch_keys.log",
                "recompile/dispatch_keys/",
                "/srv/vllm/emb.py:358",
                1,
                {"inference_mode", "warm-up", "same mode"}},
        LogCase{"C032_windows_paths.log",
                "recompile_limit/",
                R"(C:\AI\app\ldm\model.py:127)",
                1,
                {"LoRA", "newer torch", "slower workaround"}},
        LogCase{"C036_unexpected_recompile_threads.log",
                "recompile_limit/",
                "/srv/t.py:7",
                2,
                {"threads", "not a matter of sizes"},
                {"mark_dynamic"}},
        LogCase{"C041_item_break_two_ranks.log",
                "graph_break/scalar_read/",
                "/srv/eagle.py:789",
                2,
                {"Tensor.item", "return the sum as a tensor", "capture_scalar_outputs"}},
        LogCase{"C047_new_style_break_ctypes.log",
                "graph_break/unregistered_extension/",
                "/srv/bnb/functional.py:497",
                1,
                {"_SimpleCData", "custom operator", "disable", "GB0007"}},
        LogCase{"C050_value_dependent_or.log",
                "graph_break/control_flow/",
                "/srv/vllm/utils.py:31",
                1,
                {"torch.where", "clamp", "nan_to_num", "logical_or", "torch.cond only last"}},
        LogCase{"C056_cudagraph_rerecord.log",
                "cudagraph/rerecorded/",
                "",
                9,
                {"10, 13, 16, 19, 22, 25, 28, 31, 34", "cudagraph_skip_dynamic_graphs",
                 "static outputs"}},
        LogCase{"C057_skip_mutated.log",
                "cudagraph/mutated_input/",
                "/srv/cache.py:90",
                1,
                {"graph 2/0", "mutated inputs (1 instances)"},
                {"not in this log"}}),
    [](const auto& info) { return info.param.file.substr(0, 4); });

TEST(LogCases, TheLimitOfTheEagerFallbackComesFirst) {
  const Analysis analysis = analyze(runOfLogFile("C024_flex_limit_silent_fallback.log"));
  ASSERT_FALSE(analysis.findings.empty());
  EXPECT_EQ(analysis.findings.front().kind, FindingKind::kRecompileLimit);
  EXPECT_EQ(analysis.findings.front().causeClass, "unfused_fallback");
}

TEST(LogCases, UnregisteredExtensionsAreNamedOneByOne) {
  const Analysis analysis = analyze(runOfLogFile("C044_pybind_userwarnings.log"));
  ASSERT_EQ(analysis.findings.size(), 2U);
  for (const Finding& finding : analysis.findings) {
    EXPECT_EQ(finding.causeClass, "unregistered_extension");
    EXPECT_NE(finding.advice.cause.find("sageattention._fused.PyCapsule.quant_per_"),
              std::string::npos);
    EXPECT_NE(finding.advice.fix.find("torch.library"), std::string::npos);
  }
}

TEST(LogCases, RanksAreOneFinding) {
  const analyzer::Run run = runOfLogFile("C006_rank_prefixed_limit.log");
  EXPECT_EQ(run.processes.size(), 2U);
  EXPECT_EQ(analyze(run).findings.size(), 1U);
}

}  // namespace
}  // namespace jitscope::analyzer
