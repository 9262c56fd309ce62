#include "analyzer/diagnoses/guard_cause.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/analyzer/run_of_text.h"

namespace jitscope::analyzer {
namespace {

struct GuardCase {
  std::string name, text, cause;
};

class GuardCauses : public testing::TestWithParam<GuardCase> {};

TEST_P(GuardCauses, AreReadFromDynamosWords) {
  EXPECT_EQ(name(guardCause("", GetParam().text)), GetParam().cause);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, GuardCauses,
    testing::Values(
        GuardCase{"Size", "tensor 'L['a']' size mismatch at index 0. expected 3, actual 2", "size"},
        GuardCase{"Stride", "tensor 'L['a']' stride mismatch at index 0. expected 20, actual 1",
                  "stride"},
        GuardCase{"Rank", "tensor 'L['a']' rank mismatch. expected 3, actual 2", "rank"},
        GuardCase{"Dtype", "tensor 'L['a']' dtype mismatch. expected Float, actual Half", "dtype"},
        GuardCase{
            "Device",
            "tensor 'x' Tensor device index mismatch. Expected device index to be 0, actual 1",
            "device"},
        GuardCase{"DispatchKeys",
                  "tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU), actual "
                  "DispatchKeySet(CUDA)",
                  "dispatch_keys"},
        GuardCase{"RequiresGrad", "tensor 'x' requires_grad mismatch. expected requires_grad=0",
                  "requires_grad"},
        GuardCase{"Type",
                  "expected type of 'L['b']' to be a tensor type, ' but found <class 'int'>",
                  "type"},
        GuardCase{"Length", "len(L['x']) == 3", "length"},
        GuardCase{"GradMode", "GLOBAL_STATE changed: grad_mode", "grad_mode"},
        GuardCase{"GlobalState", "GLOBAL_STATE changed: autocast", "global_state"},
        GuardCase{"Scalar", "L['n'] == 3", "scalar"},
        GuardCase{"String", "L['mode'] == 'fast'", "string"},
        GuardCase{"ZeroOne", "2 <= L['x'].size()[0]", "zero_one"},
        GuardCase{"DynamicSize", "L['x'].size()[0] <= 64", "size"},
        GuardCase{"Module", "L['self'].training == True", "module"},
        GuardCase{"Parameter", "___check_obj_id(L['self'].weight, 140)", "parameter"},
        GuardCase{"Optional", "L['mask'] is None", "optional"},
        GuardCase{"Aliasing", "L['x'] and L['y'] alias", "aliasing"},
        GuardCase{"SeveralStates", "GLOBAL_STATE changed: grad_mode autocast ", "global_state"},
        GuardCase{"MarkedLate", "hasattr(L['x'], '_dynamo_dynamic_indices') == False",
                  "marked_late"},
        GuardCase{"SameObject", "L['x'] is L['y']", "aliasing"},
        GuardCase{"Hooks", "not L['self']._forward_hooks", "module"},
        GuardCase{"EmptyList", "not L['xs']", "length"},
        GuardCase{"StrideOfADynamicTensor", "L['x'].stride()[0] == 4", "stride"},
        GuardCase{"BoolByIdentity", "___check_obj_id(L['b'], 7, type=<class 'bool'>)", "scalar"},
        GuardCase{"Divergence", "operator stream diverged at #3: expected a, got b", "divergence"},
        GuardCase{"DuplicateTensor", "Duplicate tensors found: L['x'], L['y']", "aliasing"},
        GuardCase{"KeyThatIsGone", "KeyError on L['d']['a']", "dict_keys"},
        GuardCase{"ParameterThatIsGone", "KeyError on L['self']._parameters['lora']", "dict_keys"},
        GuardCase{"ListThatIsShorter", "IndexError on L['xs'][2]", "length"},
        GuardCase{"Attribute", "hasattr(L['x'], 'y') == False", "unknown"},
        GuardCase{"NothingKnown", "???", "unknown"}),
    [](const auto& info) { return info.param.name; });

TEST(GuardCause, WhatTheRecordingSaysComesFirst) {
  EXPECT_EQ(guardCause("guarded", "L['limit'] == 3"), GuardCause::kGuarded);
  EXPECT_EQ(guardCause("global_state", "GLOBAL_STATE changed: grad_mode"), GuardCause::kGradMode);
  EXPECT_EQ(guardCause("not one of ours", "L['n'] == 3"), GuardCause::kScalar);
}

GuardStory storyOfRow(std::string_view row) {
  const analyzer::Run run = runOf(row);
  return guardStory(run, *run.guardFailures.begin());
}

TEST(GuardStory, IsReadFromTheTextWhereColumnsAreEmpty) {
  const GuardStory story = storyOfRow(
      R"(guard_failure frame=0 text="tensor 'L['x']' size mismatch at index 2. expected 3, actual 7")");
  EXPECT_EQ(story.source, "L['x']");
  EXPECT_EQ(story.expected, "3");
  EXPECT_EQ(story.actual, "7");
  EXPECT_EQ(story.dimension, 2);
}

TEST(GuardStory, ASizeThatBecomesOneIsItsOwnCause) {
  const GuardStory story = storyOfRow(
      R"(guard_failure frame=0 cause="size" text="tensor 'L['x']' size mismatch at index 0. expected 4, actual 1")");
  EXPECT_EQ(story.cause, GuardCause::kZeroOne);
}

TEST(GuardStory, GlobalStateIsNamedByWhatChanged) {
  const GuardStory story = storyOfRow(
      R"(guard_failure frame=0 cause="global_state" text="GLOBAL_STATE changed: autocast ")");
  EXPECT_EQ(whatChanged(story), "autocast changed");
}

TEST(GuardStory, ABoundIsToldAsABound) {
  const GuardStory story = storyOfRow(
      R"(guard_failure frame=0 cause="size" source="L['x'].size()[0]" expected="at most 64" actual="65" text="L['x'].size()[0] <= 64  # was 65")");
  EXPECT_EQ(whatChanged(story), "size 0 of x is 65, not at most 64");
  EXPECT_NE(recompileAdvice(story).fix.find("raise the maximum"), std::string::npos);
}

TEST(GuardStory, ADeviceIsReadFromDispatchKeys) {
  const GuardStory story = storyOfRow(
      R"row(guard_failure frame=0 text="tensor 'x' dispatch key set mismatch. expected DispatchKeySet(CPU, AutogradCPU), actual DispatchKeySet(CUDA, AutogradCUDA)")row");
  EXPECT_EQ(story.cause, GuardCause::kDevice);
  EXPECT_EQ(story.expected, "CPU");
  EXPECT_EQ(story.actual, "CUDA");
}

TEST(GuardStory, RequiresGradHasTwoValues) {
  const GuardStory story = storyOfRow(
      R"(guard_failure frame=0 text="tensor 'L['x']' requires_grad mismatch. expected requires_grad=0")");
  EXPECT_EQ(whatChanged(story), "requires_grad of x changed from False to True");
}

TEST(GuardStory, AGuardWithoutACauseIsQuoted) {
  GuardStory story;
  story.language = Language::kPython;
  story.text = "frobnicate(L['x'])";
  const Advice advice = recompileAdvice(story);
  EXPECT_EQ(advice.title, "recompile: a guard failed: frobnicate(L['x'])");
  EXPECT_EQ(advice.cause.find("does not tell which guard"), std::string::npos) << advice.cause;
  EXPECT_EQ(advice.certainty, Certainty::kUnknown);
}

TEST(GuardStory, PartsOfModulesAreToldAsTheyAreWritten) {
  GuardStory story;
  story.language = Language::kPython;
  story.source = "L['self']._modules['to_k']._parameters['weight']";
  story.expected = "None";
  story.cause = GuardCause::kParameter;
  EXPECT_EQ(whatChanged(story), "parameter self.to_k.weight is no longer None");
  story.source = "L['self'].training";
  story.expected = "True";
  story.cause = GuardCause::kModule;
  EXPECT_EQ(whatChanged(story), "self.training is no longer True");
}

TEST(GuardStory, ASourceForTheEnvironmentIsDynamosOwn) {
  GuardStory story = storyOfRow(
      R"(guard_failure frame=0 text="tensor 'L['xs'][1]' size mismatch at index 0. expected 3, actual 7")");
  story.language = Language::kPython;
  story.becameDynamic = true;
  EXPECT_NE(recompileAdvice(story).fix.find("SOURCES=\"L['xs'][1]\""), std::string::npos)
      << recompileAdvice(story).fix;
}

TEST(GuardStory, AnObjectOfTheInterpreterWasMostLikelyNone) {
  const auto adviceOf = [](const char* text) {
    GuardStory story;
    story.cause = GuardCause::kObject;
    story.language = Language::kPython;
    story.source = "L['cache']";
    story.text = text;
    return recompileAdvice(story);
  };
  const Advice none = adviceOf("___check_obj_id(L['cache'], 7628576)");
  EXPECT_NE(none.cause.find("most likely None"), std::string::npos) << none.cause;
  EXPECT_EQ(none.certainty, Certainty::kLikely);
  for (const char* const other :
       {"___check_obj_id(L['cache'], 140462015037648)", "___check_obj_id(L['cache'], 9900001)"})
    EXPECT_EQ(adviceOf(other).cause.find("None"), std::string::npos) << other;
}

TEST(GuardStory, EveryCauseHasWordsAndAFix) {
  for (int cause = 0; cause <= static_cast<int>(GuardCause::kUnknown); ++cause) {
    GuardStory story;
    story.cause = static_cast<GuardCause>(cause);
    const Advice advice = recompileAdvice(story);
    EXPECT_FALSE(advice.fix.empty()) << name(story.cause);
    EXPECT_NE(advice.cause.find("; "), std::string::npos) << name(story.cause);
  }
}

TEST(VariableOf, NamesTheVariableThatTheUserWrote) {
  EXPECT_EQ(variableOf("L['x'].size()[0]"), "x");
  EXPECT_EQ(variableOf("L['self'].weight"), "self.weight");
  EXPECT_EQ(variableOf("L['xs'][1]"), "xs[1]");
  EXPECT_EQ(variableOf("L['args'][1]._modules['layers']._modules['0']._buffers['cache'].size"),
            "args[1].layers[0].cache.size");
  EXPECT_EQ(variableOf("self._modules['attn'].processor"), "self.attn.processor");
  EXPECT_EQ(variableOf("L['self']._modules['cut"), "self._modules['cut");
  EXPECT_EQ(variableOf("x"), "x");
  EXPECT_EQ(variableOf(""), "");
}

}  // namespace
}  // namespace jitscope::analyzer
