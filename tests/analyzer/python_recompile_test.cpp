#include <gtest/gtest.h>

#include <string>

#include "analyzer/diagnoses/guard_cause.h"

namespace jitscope::analyzer {
namespace {

struct PythonCase {
  std::string name, guard, cause, fix;
};

class PythonRecompiles : public testing::TestWithParam<PythonCase> {};

TEST_P(PythonRecompiles, HaveACauseAndAFixInPython) {
  GuardStory story;
  story.cause = guardCause("", GetParam().guard);
  // A guard of the whole state has no source.
  if (story.cause != GuardCause::kGlobalState)
    story.source = GetParam().guard.substr(0, GetParam().guard.find(' '));
  story.language = Language::kPython;
  EXPECT_EQ(name(story.cause), GetParam().cause);
  const Advice advice = recompileAdvice(story);
  EXPECT_NE(advice.fix.find(GetParam().fix), std::string::npos) << advice.fix;
  for (const char* cpp : {"torch::", "jitscope::", "JITSCOPE_"})
    EXPECT_EQ(advice.fix.find(cpp), std::string::npos) << advice.fix;
}

INSTANTIATE_TEST_SUITE_P(
    Guards, PythonRecompiles,
    testing::Values(
        PythonCase{"Size", "tensor 'x' size mismatch at index 0. expected 3, actual 2", "size",
                   "torch._dynamo.mark_dynamic"},
        PythonCase{"ZeroOne", "2 <= L['x'].size()[0]", "zero_one", "mark_unbacked"},
        PythonCase{"DuckShape", "L['x'].size()[0] == L['y'].size()[1]", "duck_shape",
                   "sizes that differ"},
        PythonCase{"SizeOfAnEntry", "L['x'].size()[0] == 5", "size", "mark_dynamic"},
        PythonCase{"Number", "L['n'] == 3", "scalar", "torch.tensor"},
        PythonCase{"Text", "L['mode'] == 'fast'", "string", "one function per value"},
        PythonCase{"Attribute", "L['self'].counter == 3", "attribute", "buffer"},
        PythonCase{"Global", "G['scale'] == 3", "global", "argument"},
        PythonCase{"Closure", "L['f'].__closure__[0].cell_contents == 3", "global", "argument"},
        PythonCase{"Training", "L['self'].training == True", "module", "eval()"},
        PythonCase{"Object", "___check_obj_id(L['cache'], 140)", "object", "same object"},
        PythonCase{"Type", "___check_type_id(L['n'], 94)", "type", "same type"},
        PythonCase{"TypeOfLr", "expected type of 'L['lr']' to be a tensor type, ' but found float",
                   "type", "must stay one"},
        PythonCase{"Dtype", "tensor 'x' dtype mismatch. expected Float, actual Half", "dtype",
                   ".to(dtype)"},
        PythonCase{"Device", "tensor 'x' device mismatch", "device", ".to(device)"},
        PythonCase{"Rank", "tensor 'x' rank mismatch. expected 3, actual 2", "rank", "reshape"},
        PythonCase{"Stride", "tensor 'x' stride mismatch at index 0. expected 20, actual 1",
                   "stride", ".contiguous()"},
        PythonCase{"RequiresGrad", "tensor 'x' requires_grad mismatch. expected requires_grad=0",
                   "requires_grad", ".detach()"},
        PythonCase{"DispatchKeys", "tensor 'x' dispatch key set mismatch. expected A, actual B",
                   "dispatch_keys", "inference_mode"},
        PythonCase{"GradMode", "GLOBAL_STATE changed: grad_mode", "grad_mode", "torch.no_grad()"},
        PythonCase{"GlobalState", "___check_global_state()", "global_state", "newer torch"},
        PythonCase{"DispatchMode", "___check_torch_function_mode_stack()", "dispatch_mode",
                   "TorchDispatchMode"},
        PythonCase{"Aliasing", "L['x'] and L['y'] alias", "aliasing", ".clone()"},
        PythonCase{"Length", "len(L['x']) == 3", "length", "stacked"},
        PythonCase{"Keys", "___dict_contains('k', L['d'])", "dict_keys", "same keys"},
        PythonCase{"Optional", "L['mask'] is None", "optional", "leaving"},
        PythonCase{"ParameterShape",
                   "tensor 'w' size mismatch at index 0. expected 3, actual 2. Guard failed on a "
                   "parameter, consider",
                   "parameter_shape", "force_parameter_static_shapes"},
        PythonCase{"Parameter", "self._modules['a']._parameters['weight'] is None", "parameter",
                   "newer torch"},
        PythonCase{"Optimizer", "L['self'].param_groups[0]['lr'] == 0.1", "optimizer_state",
                   "lr=torch.tensor"},
        PythonCase{"Versions", "__nn_module_guard_0(L['self']) # versions(mod=9)", "module_version",
                   "newer torch"},
        PythonCase{"Gone", "Cache line invalidated because L['x'] got deallocated", "deallocated",
                   "alive"},
        PythonCase{"Threads", "Unexpected recompilation: runtime guards failed even though",
                   "nondeterministic", "one thread"},
        PythonCase{"NotTold", "Unable to find recompilation reasons", "unknown",
                   "TORCH_LOGS=\"recompiles_verbose,guards\""}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace jitscope::analyzer
