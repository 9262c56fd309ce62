#include "analyzer/import/line_front.h"

#include <gtest/gtest.h>

#include <string>

namespace jitscope::analyzer {
namespace {

struct FrontCase {
  std::string name, line;
  int64_t rank;
  std::string text;
};

class LineFronts : public testing::TestWithParam<FrontCase> {};

TEST_P(LineFronts, AreTakenOff) {
  const LineFront front = takeLineFront(GetParam().line);
  EXPECT_EQ(front.text, GetParam().text);
  EXPECT_EQ(front.rank, GetParam().rank);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, LineFronts,
    testing::Values(
        FrontCase{"Kubectl", "2025-06-12T10:00:01.2Z   - text", -1, "  - text"},
        FrontCase{"Kubernetes", "2025-06-12T10:00:01.233000001+02:00 stderr F   text", -1,
                  "  text"},
        FrontCase{"Journald", "Jun 12 10:00:01 node7 python3[4242]: text", -1, "text"},
        FrontCase{"JournaldWithIsoTime", "2025-06-12T10:00:01+0200 node7 python3[4242]:   text", -1,
                  "  text"},
        FrontCase{"SyslogOfOneDigit", "Jun  2 10:00:01 node7 train[1]: text", -1, "text"},
        FrontCase{"TimeBeforeWords", "Jun 12 10:00:01 Graph break: text", -1, "Graph break: text"},
        FrontCase{"Moreutils", "[2025-06-12 10:00:01] text", -1, "text"},
        FrontCase{"Compose", "trainer-1  | text", -1, "text"},
        FrontCase{"Torchrun", "[rank3]: text", 3, "text"},
        FrontCase{"TorchrunOfARole", "[default12]:  text", 12, "  text"},
        FrontCase{"Mpirun", "[1,5]<stderr>: text", 5, " text"},
        FrontCase{"Srun", " 7:   text", 7, "  text"}, FrontCase{"Hydra", "[2] text", 2, "text"},
        FrontCase{"Ray", "(RayTrainWorker pid=4242, ip=10.0.0.1) text", -1, "text"},
        FrontCase{"WorkerWithRank", "(VllmWorker rank=1 pid=4242) text", 1, "text"},
        FrontCase{"SeveralInARow", "2025-06-12T10:00:01Z stdout F trainer-0 | [rank1]: [rank1]: x",
                  1, "x"},
        FrontCase{"BasicLogging", "WARNING:torch._dynamo.convert_frame:text", -1, "text"},
        FrontCase{"LoggingWithTime",
                  "2025-06-12 10:00:01,233 - torch._dynamo.guards - DEBUG - text", -1, "text"}),
    [](const auto& info) { return info.param.name; });

TEST(LineFront, OfOrdinaryTextIsNothing) {
  for (const char* line :
       {"", " ", "text", "loss: 3", "    - 0/0: L['x'] == 3", "[__recompiles] text", "[0/1] text",
        "[", "(", "1", "2025-06-12",
        "Traceback (most recent call last):", "  File \"x.py\", line 3",
        "torch._dynamo.exc.Unsupported: x", "9999999: x", "Jun", "(pid=3", "[rank]: x"}) {
    const LineFront front = takeLineFront(line);
    EXPECT_EQ(front.text, line);
    EXPECT_EQ(front.rank, -1) << line;
  }
}

TEST(LineFront, TellsThatALineWasCut) {
  EXPECT_TRUE(takeLineFront("2025-06-12T10:00:01.2Z stderr P text").isPart);
  EXPECT_FALSE(takeLineFront("2025-06-12T10:00:01.2Z stderr F text").isPart);
}

TEST(LogObject, GivesTheLineInIt) {
  std::string scratch;
  EXPECT_EQ(takeLogObject(R"({"log":"a \"b\"\n","stream":"stderr","time":"x"})", scratch).text,
            "a \"b\"");
  EXPECT_EQ(takeLogObject(R"({"__CURSOR":"s=1","MESSAGE":"  - x","PRIORITY":"6"})", scratch).text,
            "  - x");
  const std::string cut = "{\"log\":\"" + std::string(16384, 'x') + "\",\"stream\":\"stderr\"}";
  EXPECT_TRUE(takeLogObject(cut, scratch).isPart);
  const std::string longMessage = "{\"MESSAGE\":\"" + std::string(16384, 'x') + "\"}";
  EXPECT_FALSE(takeLogObject(longMessage, scratch).isPart) << "journald cuts nothing";
  for (const char* line : {"", "{", "{\"log\": 3}", "{\"log\":\"cut", "{\"a\": \"b\"}", "text"})
    EXPECT_EQ(takeLogObject(line, scratch).text, line);
}

}  // namespace
}  // namespace jitscope::analyzer
