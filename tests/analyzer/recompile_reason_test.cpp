#include "analyzer/import/recompile_reason.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace jitscope::analyzer {
namespace {

struct ReasonCase {
  std::string name, text;
  std::string guard, source, expected, actual;
};

class RecompileReasons : public testing::TestWithParam<ReasonCase> {};

TEST_P(RecompileReasons, AreTakenApart) {
  const RecompileReason reason = parseRecompileReason(GetParam().text);
  EXPECT_EQ(reason.text, GetParam().guard);
  EXPECT_EQ(reason.source, GetParam().source);
  EXPECT_EQ(reason.expected, GetParam().expected);
  EXPECT_EQ(reason.actual, GetParam().actual);
}

INSTANTIATE_TEST_SUITE_P(
    Texts, RecompileReasons,
    testing::Values(
        ReasonCase{"Size", "0/1: tensor 'x' size mismatch at index 0. expected 2, actual 3",
                   "tensor 'x' size mismatch at index 0. expected 2, actual 3", "x", "2", "3"},
        ReasonCase{"SizeBefore27",
                   "tensor 'L['images']' size mismatch at index 2. expected 1696, actual 1248",
                   "tensor 'L['images']' size mismatch at index 2. expected 1696, actual 1248",
                   "L['images']", "1696", "1248"},
        ReasonCase{"SizeOfAParameter",
                   "2/7: tensor 'X[0]' size mismatch at index 1. expected 640, actual 8. Guard "
                   "failed on a parameter, consider using …",
                   "tensor 'X[0]' size mismatch at index 1. expected 640, actual 8. Guard failed "
                   "on a parameter, consider using …",
                   "X[0]", "640", "8"},
        ReasonCase{"DispatchKeys",
                   "0/0: tensor 'L['i']' dispatch key set mismatch. expected DispatchKeySet(CUDA, "
                   "BackendSelect), actual DispatchKeySet(CUDA, BackendSelect, ADInplaceOrView)",
                   "tensor 'L['i']' dispatch key set mismatch. expected DispatchKeySet(CUDA, "
                   "BackendSelect), actual DispatchKeySet(CUDA, BackendSelect, ADInplaceOrView)",
                   "L['i']", "DispatchKeySet(CUDA, BackendSelect)",
                   "DispatchKeySet(CUDA, BackendSelect, ADInplaceOrView)"},
        ReasonCase{"Value", "3/0: G['cfg']['scale'] == 0         # y = x * s  # app/w.py:33 in g",
                   "G['cfg']['scale'] == 0", "G['cfg']['scale']", "0", ""},
        ReasonCase{"None", "1/63: self._modules['to_k']._parameters['weight'] is None",
                   "self._modules['to_k']._parameters['weight'] is None",
                   "self._modules['to_k']._parameters['weight']", "None", ""},
        ReasonCase{"Identity",
                   "1/0: ___check_obj_id(self._modules['attn'].processor, 140462015037648)",
                   "___check_obj_id(self._modules['attn'].processor, 140462015037648)",
                   "self._modules['attn'].processor", "", ""},
        ReasonCase{"Bounds",
                   "0/1: 2 <= x.size()[0] <= 2147483647  # y  # app/w.py:6 in f (a remark)",
                   "2 <= x.size()[0] <= 2147483647", "x.size()[0]", "at least 2", ""},
        ReasonCase{"LengthOfAList", "0/0: len(L['xs']) == 3", "len(L['xs']) == 3", "L['xs']", "3",
                   ""},
        ReasonCase{"ListThatIsShorter", "0/0: IndexError on L['xs'][2]", "IndexError on L['xs'][2]",
                   "L['xs']", "", ""},
        ReasonCase{"LengthInOldWords", "len(xs) == 3", "len(xs) == 3", "xs", "3", ""},
        ReasonCase{"Mark", "0/0: hasattr(L['x'], '_dynamo_dynamic_indices') == False",
                   "hasattr(L['x'], '_dynamo_dynamic_indices') == False", "L['x']", "False", ""},
        ReasonCase{"Keys", "0/0: set(L['d'].keys()) == {'a'}", "set(L['d'].keys()) == {'a'}",
                   "L['d']", "{'a'}", ""},
        ReasonCase{"Constraint", "0/0: Eq(Mod(L['x'].size()[1], 8), 0)",
                   "Eq(Mod(L['x'].size()[1], 8), 0)", "L['x'].size()[1]", "", ""},
        ReasonCase{"Product", "0/0: (L['x'].size()[0]*2) % 3 != 0", "(L['x'].size()[0]*2) % 3 != 0",
                   "L['x'].size()[0]*2", "", ""},
        ReasonCase{"KeyThatIsGone", "0/0: KeyError on L['d']['a']", "KeyError on L['d']['a']",
                   "L['d']['a']", "", ""},
        ReasonCase{"Flag", "0/0: not L['flag']", "not L['flag']", "L['flag']", "False", ""},
        ReasonCase{"NothingKnown", "0/0: Unable to find recompilation reasons",
                   "Unable to find recompilation reasons", "", "", ""},
        ReasonCase{"Empty", "0/0: ", "", "", "", ""}),
    [](const auto& info) { return info.param.name; });

TEST(RecompileReason, NamesTheEntry) {
  EXPECT_EQ(parseRecompileReason("4/2: L['n'] == 3").entry, (TorchCompileId{-1, 4, 2}));
  EXPECT_EQ(parseRecompileReason("!0/4/2: L['n'] == 3").entry, (TorchCompileId{0, 4, 2}));
  EXPECT_FALSE(parseRecompileReason("L['n'] == 3").entry.isTold());
}

TEST(RecompileReason, TakesThePlaceFromTheComment) {
  EXPECT_EQ(parseRecompileReason("0/0: L['n'] == 3   # y = n * x  # app/step.py:7 in step").stack,
            "app/step.py:7 step");
  EXPECT_EQ(parseRecompileReason("0/1: 2 <= x.size()[0]  # y  # app/w.py:6 in f (not in user code)")
                .stack,
            "app/w.py:6 f");
}

TEST(RecompileReason, TakesTheWholeStackWhereItIsTold) {
  EXPECT_EQ(parseRecompileReason("3/0: G['s'] == 0  # y  # pp/w.py:33 in g\nUser stack trace:\n"
                                 "  File \"/srv/app/w.py\", line 40, in <module>\n    g(x)\n"
                                 "  File \"/srv/app/w.py\", line 33, in g\n    y\n")
                .stack,
            "/srv/app/w.py:33 g\n/srv/app/w.py:40 <module>");
}

}  // namespace
}  // namespace jitscope::analyzer
