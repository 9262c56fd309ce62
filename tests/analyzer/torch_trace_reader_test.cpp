#include "analyzer/import/torch_trace_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace jitscope::analyzer {
namespace {

constexpr const char* kBefore =
    "V1206 15:18:20.599000 1500233 torch/_dynamo/output_graph.py:1336] ";
// The digest of "first\n\nthird".
constexpr const char* kDigest = "0d8cb2b7b2f4bf66bb0f5fa7f9b7f0b9";

struct Read {
  std::vector<std::string> events, payloads;
  TorchTraceDamage damage;
};

Read readOf(const std::string& log, size_t blockSize = 1 << 20) {
  Read read;
  TorchTraceReader reader([&](const TorchTraceRecord& record) {
    read.events.emplace_back(record.event);
    read.payloads.emplace_back(record.payload);
  });
  for (size_t at = 0; at < log.size(); at += blockSize)
    reader.feed(std::string_view(log).substr(at, blockSize));
  reader.finish();
  read.damage = reader.damage();
  return read;
}

std::string header(const std::string& event, const std::string& digest = "") {
  return std::string(kBefore) + "{\"" + event + "\": {}, \"frame_id\": 1, \"frame_compile_id\": 2" +
         (digest.empty() ? "" : ", \"has_payload\": \"" + digest + "\"") + "}\n";
}

std::string digestOf(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string digits;
  for (const uint32_t word : md5Of(text)) {
    for (int byte = 0; byte < 4; ++byte) {
      const uint32_t value = word >> (8 * byte) & 0xff;
      digits += kDigits[value / 16];
      digits += kDigits[value % 16];
    }
  }
  return digits;
}

TEST(TorchTraceReader, JoinsPayloadLinesToTheirHeader) {
  const Read read =
      readOf(header("a", digestOf("first\n\nthird")) + "\tfirst\n\t\n\tthird\n" + header("b"));
  EXPECT_EQ(read.events, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(read.payloads, (std::vector<std::string>{"first\n\nthird", ""}));
  EXPECT_EQ(read.damage.md5BadAsIs, 0);
}

TEST(TorchTraceReader, BlocksOfAnySizeGiveTheSame) {
  const std::string log = header("a", digestOf("x\ny")) + "\tx\n\ty\nforeign\n" + header("b");
  const Read whole = readOf(log);
  for (size_t size = 1; size < log.size(); ++size) {
    const Read pieces = readOf(log, size);
    EXPECT_EQ(pieces.payloads, whole.payloads) << size;
    EXPECT_EQ(pieces.damage.otherLines, 1) << size;
  }
}

TEST(TorchTraceReader, CarriageReturnsAndEmptyLinesAreNoCorruption) {
  const Read read = readOf(header("a", digestOf("x\ny")) + "\tx\r\n\r\n\ty\r\n");
  EXPECT_EQ(read.payloads.front(), "x\ny");
  EXPECT_EQ(read.damage.md5BadAsIs, 1);
  EXPECT_EQ(read.damage.md5BadTolerant, 0);
  EXPECT_EQ(read.damage.repairedPayloads, 1);
}

TEST(TorchTraceReader, ABadChecksumIsCountedAndThePayloadKept) {
  const Read read = readOf(header("a", kDigest) + "\tx\n" + header("b", "none") + "\ty\n");
  EXPECT_EQ(read.payloads, (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ(read.damage.md5BadTolerant, 2);
  EXPECT_EQ(read.damage.firstBadPayload, 1);
  EXPECT_FALSE(read.damage.isCut);
}

TEST(TorchTraceReader, KnowsThatTheEndIsMissing) {
  EXPECT_TRUE(readOf(header("a", digestOf("x\ny")) + "\tx").damage.isCut);
  EXPECT_FALSE(readOf(header("a", digestOf("x\ny")) + "\tx\n\ty").damage.isCut);
}

TEST(TorchTraceReader, ABrokenHeaderLosesItselfAlone) {
  const Read read =
      readOf(std::string(kBefore) + "{\"a\": {\"x\": 1}, \"frame_id\n\tlost\n" + header("b"));
  EXPECT_EQ(read.events, (std::vector<std::string>{"b"}));
  EXPECT_EQ(read.damage.brokenHeaders, 1);
  EXPECT_EQ(read.damage.otherLines, 1);
}

TEST(TorchTraceReader, ReadsBehindWhatOthersWriteInFront) {
  const std::string header =
      "V0401 12:34:56.789000 42 torch/x.py:7] {\"artifact\": "
      "{\"name\": \"n\"}, \"has_payload\": "
      "\"187ef4436122d1cc2f40dc2b92f0eba0\"}";
  for (const std::string front : {"2025-06-12T10:00:01.2Z stderr F ", "[default3]:", "[rank3]: ",
                                  "Jun 12 10:00:01 host python3[42]: "}) {
    const std::string log = front + header + "\n" + front + "\tab\n" + front + "print\n";
    EXPECT_TRUE(looksLikeTorchTrace(log)) << front;
    std::vector<std::string> payloads;
    TorchTraceReader reader(
        [&](const TorchTraceRecord& record) { payloads.emplace_back(record.payload); });
    reader.feed(log);
    reader.finish();
    EXPECT_EQ(payloads, std::vector<std::string>{"ab"}) << front;
    EXPECT_EQ(reader.damage().md5BadTolerant, 0) << front;
    EXPECT_EQ(reader.damage().otherLines, 1) << front;
  }
}

TEST(TorchTraceReader, PutsLinesTogetherThatACollectorHasCut) {
  const std::string part = "2025-06-12T10:00:01.2Z stderr P ";
  const std::string end = "2025-06-12T10:00:01.2Z stderr F ";
  const std::string log =
      part + "V0401 12:34:56.789000 42 torch/x.py:7] {\"artifact\": {\"name\": " + "\n" + end +
      "\"n\"}, \"has_payload\": " + "\"187ef4436122d1cc2f40dc2b92f0eba0\"}\n" + part + "\ta\n" +
      end + "b\n";
  std::vector<std::string> payloads;
  TorchTraceReader reader(
      [&](const TorchTraceRecord& record) { payloads.emplace_back(record.payload); });
  reader.feed(log);
  reader.finish();
  EXPECT_EQ(payloads, std::vector<std::string>{"ab"});
  EXPECT_EQ(reader.damage().otherLines, 0);
}

TEST(TorchTraceReader, JoinsCutLinesOfEachStreamWithTheirOwn) {
  const std::string time = "2025-06-12T10:00:01.2Z ";
  const std::string log =
      time + "stderr P V0401 12:34:56.789000 42 torch/x.py:7] {\"artifact\": " + "\n" + time +
      "stdout P loss \n" + time + "stderr F {\"name\": \"n\"}}\n" + time + "stdout F 3\n";
  int64_t records = 0;
  TorchTraceReader reader([&](const TorchTraceRecord&) { ++records; });
  reader.feed(log);
  reader.finish();
  EXPECT_EQ(records, 1);
  EXPECT_EQ(reader.damage().otherLines, 1);
}

TEST(TorchTraceReader, LosesNoLineWhoseRestNeverCame) {
  const std::string part = "2025-06-12T10:00:01.2Z stderr P ";
  const std::string header =
      "V0401 12:34:56.789000 42 torch/x.py:7] {\"artifact\": {\"name\": \"n\"}}";
  int records = 0;
  TorchTraceReader reader([&](const TorchTraceRecord&) { ++records; });
  reader.feed(part + header + "\n");
  reader.finish();
  EXPECT_EQ(records, 1);
  TorchTraceReader other([&](const TorchTraceRecord&) { ++records; });
  other.feed(part + "print\n");
  other.finish();
  EXPECT_EQ(records, 1);
  EXPECT_EQ(other.damage().otherLines, 1);
}

TEST(TorchTraceReader, ReadsAHeaderBehindALineWithoutItsEnd) {
  int64_t records = 0;
  TorchTraceReader reader([&](const TorchTraceRecord&) { ++records; });
  reader.feed(" 12%|#  | 1/8 V0401 12:34:56.789000 42 torch/x.py:7] {\"dynamo_start\": {}}\n");
  reader.finish();
  EXPECT_EQ(records, 1);
  EXPECT_EQ(reader.damage().otherLines, 0);
}

TEST(TorchTraceReader, IsRecognisedByItsHeaders) {
  EXPECT_TRUE(looksLikeTorchTrace("noise\n" + header("a")));
  EXPECT_FALSE(looksLikeTorchTrace(std::string(kBefore) + "[0/0] text\n"));
  EXPECT_FALSE(looksLikeTorchTrace(""));
}

}  // namespace
}  // namespace jitscope::analyzer
