#include "analyzer/place.h"

#include <gtest/gtest.h>

#include <string>

namespace jitscope::analyzer {
namespace {

TEST(Place, ReadsFileLineAndFunction) {
  const Place place = parseStackLine("/src/step.cpp:12 step(at::Tensor, long)");
  EXPECT_EQ(place, (Place{"/src/step.cpp", 12, "step(at::Tensor, long)"}));
}

TEST(Place, ReadsFilesWithBlanksAndColons) {
  EXPECT_EQ(parseStackLine("C:/my code/a b.cpp:7 f()"), (Place{"C:/my code/a b.cpp", 7, "f()"}));
}

TEST(Place, ReadsModuleAndOffsetWithoutDebugInformation) {
  EXPECT_EQ(parseStackLine("libmodel.so+0x1f20 run"), (Place{"libmodel.so+0x1f20", 0, "run"}));
}

TEST(Place, ReadsLinesWithoutFunction) {
  EXPECT_EQ(parseStackLine("step.cpp:12"), (Place{"step.cpp", 12, ""}));
  EXPECT_EQ(parseStackLine(""), Place{});
  EXPECT_EQ(parseStackLine(":12"), (Place{":12", 0, ""}));
}

TEST(Place, ALineNumberThatIsTooLargeIsNotKnown) {
  EXPECT_EQ(parseStackLine("a.cpp:99999999999999999999 f").line, 0);
}

struct StackCase {
  std::string name, stack, place;
};

class UserPlace : public testing::TestWithParam<StackCase> {};

TEST_P(UserPlace, IsTheInnermostFrameOfTheUser) {
  EXPECT_EQ(fullText(userPlace(GetParam().stack)), GetParam().place);
}

INSTANTIATE_TEST_SUITE_P(
    Stacks, UserPlace,
    testing::Values(
        StackCase{"SkipsLibTorch",
                  "/x/ATen/core/TensorBody.h:900 at::Tensor::item() const\n/src/a.cpp:5 step()\n"
                  "/src/b.cpp:6 main",
                  "/src/a.cpp:5"},
        StackCase{
            "SkipsTheCompiler",
            "/j/compiler/control.cpp:9 jitscope::graphBreak(std::string const&)\n/src/a.cpp:5 f()",
            "/src/a.cpp:5"},
        StackCase{
            "SkipsTemplatesWithReturnType",
            "/j/x.h:9 at::Tensor jitscope::call<at::Tensor (*)(at::Tensor)>(int)\n/src/a.cpp:5 f",
            "/src/a.cpp:5"},
        StackCase{"SkipsTheCppLibrary",
                  "/usr/include/c++/12/functional:300 std::function<void ()>::operator()() const\n"
                  "/src/a.cpp:5 f",
                  "/src/a.cpp:5"},
        StackCase{"KeepsFunctionsThatTakeTensors", "/src/a.cpp:5 f(at::Tensor, c10::Scalar)",
                  "/src/a.cpp:5"},
        StackCase{"KeepsUnnamedNamespaces", "/src/a.cpp:5 (anonymous namespace)::step(at::Tensor)",
                  "/src/a.cpp:5"},
        StackCase{"KeepsLambdas",
                  "/src/a.cpp:5 main::{lambda(at::Tensor)#1}::operator()(at::Tensor) const",
                  "/src/a.cpp:5"},
        StackCase{"KeepsUserTemplatesOverTensors",
                  "/src/a.cpp:5 at::Tensor twice<at::Tensor>(at::Tensor)", "/src/a.cpp:5"},
        StackCase{"FallsBackToMachineryWithALine", "libtorch_cpu.so+0x10 x\n/x/ATen/a.h:3 at::f()",
                  "/x/ATen/a.h:3"},
        StackCase{
            "SkipsPyTorch",
            "/env/torch/_dynamo/polyfills/__init__.py:146 f\n/env/torch/nn/modules/linear.py:9 "
            "forward\n/srv/bnb/functional.py:497 get_ptr",
            "/srv/bnb/functional.py:497"},
        StackCase{"SkipsPyTorchOnWindows",
                  "C:\\env\\torch\\_inductor\\graph.py:9 run\nC:\\app\\model.py:7 forward",
                  "C:\\app\\model.py:7"},
        StackCase{"KeepsFoldersThatSoundLikePyTorch", "/srv/mytorch/nn/model.py:3 f",
                  "/srv/mytorch/nn/model.py:3"},
        StackCase{"IsEmptyForAnEmptyStack", "", ""}),
    [](const auto& info) { return info.param.name; });

TEST(Place, ShortTextNamesTheFileAlone) {
  EXPECT_EQ(shortText({"/src/a.cpp", 5, "f"}), "a.cpp:5");
  EXPECT_EQ(shortText({"/lib/libm.so+0x10", 0, ""}), "libm.so+0x10");
  EXPECT_EQ(shortText({}), "unknown place");
}

}  // namespace
}  // namespace jitscope::analyzer
