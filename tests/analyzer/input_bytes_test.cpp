#include "analyzer/import/input_bytes.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/analyzer/packing.h"
#include "tests/support/temporary_folder.h"

namespace jitscope::analyzer {
namespace {

/// All bytes, read in pieces of a given size.
std::string readAll(InputBytes& bytes, size_t pieceBytes = 10'000) {
  std::string all, piece(pieceBytes, '\0');
  while (const size_t got = bytes.read(piece)) all.append(piece, 0, got);
  return all;
}

/// Text that packs moderately and nowhere repeats itself, longer than the head that is looked at.
std::string someText(size_t lines) {
  std::string text;
  uint32_t number = 1;
  for (size_t i = 0; i < lines; ++i) {
    number = number * 1664525 + 1013904223;
    text += "line " + std::to_string(number >> 12) + "\n";
  }
  return text;
}

TEST(InputBytes, AreTheSameHoweverTheyArePacked) {
  for (const size_t lines : {0, 1, 100, 50'000}) {
    const std::string text = someText(lines);
    for (const std::string& packed :
         {text, gzipped(text), zstdPacked(text),
          gzipped(text.substr(0, text.size() / 2)) + gzipped(text.substr(text.size() / 2))}) {
      for (const size_t piece : {1'000, 70'000, 1 << 20}) {
        InputBytes bytes = InputBytes::of(packed);
        EXPECT_TRUE(text.starts_with(bytes.head()));
        EXPECT_EQ(readAll(bytes, piece), text);
        EXPECT_EQ(bytes.fault(), "");
        EXPECT_EQ(bytes.position(), text.size());
      }
    }
  }
}

/// `text`, which is of ASCII, in UTF-16 behind a byte order mark.
std::string inUtf16(std::string_view text, bool isBig) {
  std::string wide = isBig ? "\xfe\xff" : "\xff\xfe";
  for (const char letter : text) {
    if (isBig) wide += '\0';
    wide += letter;
    if (!isBig) wide += '\0';
  }
  return wide;
}

TEST(InputBytes, OfTextInUtf16AreUtf8) {
  const std::string text = someText(20'000);
  for (const bool isBig : {false, true}) {
    const std::string wide = inUtf16(text, isBig);
    for (const std::string& file : {wide, gzipped(wide)}) {
      InputBytes bytes = InputBytes::of(file);
      EXPECT_TRUE(text.starts_with(bytes.head()));
      EXPECT_EQ(readAll(bytes, 1'000), text);
    }
  }
}

TEST(InputBytes, OfTextInUtf16MayBeCutOrWrong) {
  using namespace std::string_literals;
  const std::string replacement = "\xef\xbf\xbd";
  const std::vector<std::pair<std::string, std::string>> pairs{
      {"\xff\xfe"s + "a\0\xe9\0"s + "\xac\x20"s + "\x3d\xd8\x00\xde"s, "a\u00e9\u20ac\U0001f600"},
      {"\xff\xfe"s + "a\0b"s, "a" + replacement},
      {"\xff\xfe"s + "a\0\x3d\xd8"s, "a" + replacement},
      {"\xff\xfe"s + "a\0\x3d\xd8"s + "b\0"s, "a" + replacement + "b"},
      {"\xff\xfe"s + "a\0\x00\xde"s, "a" + replacement}};
  for (const auto& [file, text] : pairs) {
    InputBytes bytes = InputBytes::of(file);
    EXPECT_EQ(readAll(bytes, 1'000), text);
  }
}

TEST(InputBytes, EndAtTheCutAndSaySo) {
  const std::string text = someText(50'000);
  for (const auto& [packed, fault] : {std::pair(gzipped(text), "gzip: cut short"),
                                      std::pair(zstdPacked(text), "zstd: cut short")}) {
    InputBytes bytes = InputBytes::of(packed.substr(0, packed.size() * 2 / 3));
    const std::string all = readAll(bytes);
    EXPECT_GT(all.size(), text.size() / 3);
    EXPECT_TRUE(text.starts_with(all));
    EXPECT_EQ(bytes.fault(), fault);
  }
}

TEST(InputBytes, EndAtDamageAndSaySo) {
  std::string packed = gzipped(someText(50'000));
  for (size_t i = packed.size() / 2; i < packed.size() / 2 + 200; ++i) packed[i] ^= 0x55;
  InputBytes bytes = InputBytes::of(packed);
  readAll(bytes);
  EXPECT_TRUE(bytes.fault().starts_with("gzip: ")) << bytes.fault();
}

TEST(InputBytes, StepOverPaddingBehindGzip) {
  InputBytes bytes = InputBytes::of(gzipped("hello") + std::string(512, '\0'));
  EXPECT_EQ(readAll(bytes), "hello");
  EXPECT_EQ(bytes.fault(), "");
}

TEST(InputBytes, StopAtABomb) {
  const tests::TemporaryFolder folder;
  const std::string zeros(32 << 20, '\0');
  std::ofstream(folder / "bomb.gz", std::ios::binary) << gzipped(zeros);
  LoadOptions options;
  options.mostUnpackedBytes = 1 << 20;
  auto bytes = InputBytes::open(folder / "bomb.gz", options);
  ASSERT_TRUE(bytes);
  EXPECT_EQ(readAll(*bytes).size(), 1U << 20);
  EXPECT_EQ(bytes->fault(), "unpacks to more than 1.05 MB");
}

TEST(InputBytes, UnpackToALimitWhateverThePieces) {
  const tests::TemporaryFolder folder;
  const std::string text = someText(20'000);
  std::ofstream(folder / "text.gz", std::ios::binary) << gzipped(text);
  for (const size_t limit :
       {size_t{1}, size_t{1'000}, size_t{65'536}, text.size() - 1, text.size(), text.size() + 1}) {
    for (const size_t piece : {1'000, 65'536, 1 << 20}) {
      LoadOptions options;
      options.mostUnpackedBytes = limit;
      auto bytes = InputBytes::open(folder / "text.gz", options);
      ASSERT_TRUE(bytes);
      EXPECT_EQ(readAll(*bytes, piece), text.substr(0, limit)) << limit << " " << piece;
      EXPECT_EQ(bytes->fault().empty(), limit >= text.size()) << limit << " " << piece;
    }
  }
}

TEST(InputBytes, OfAFileThatGrowsHaveAnEnd) {
  const tests::TemporaryFolder folder;
  const std::string text = someText(200'000);
  std::ofstream(folder / "log") << text;
  LoadOptions options;
  options.progress = [&](uint64_t /*done*/, uint64_t /*all*/) {
    std::ofstream(folder / "log", std::ios::app) << text;
  };
  trace::Result<InputBytes> bytes = InputBytes::open(folder / "log", options);
  ASSERT_TRUE(bytes) << bytes.error().text;
  EXPECT_EQ(readAll(*bytes), text);
}

TEST(InputBytes, OfAFileThatShrinksEndWithIt) {
  const tests::TemporaryFolder folder;
  const std::string text = someText(200'000);
  std::ofstream(folder / "log") << text;
  LoadOptions options;
  options.progress = [&](uint64_t /*done*/, uint64_t /*all*/) {
    std::filesystem::resize_file(folder / "log", 100'000);
  };
  trace::Result<InputBytes> bytes = InputBytes::open(folder / "log", options);
  ASSERT_TRUE(bytes) << bytes.error().text;
  const std::string all = readAll(*bytes);
  EXPECT_LT(all.size(), text.size());
  EXPECT_TRUE(text.starts_with(all));
}

TEST(InputBytes, TellProgressAndStopWhenAsked) {
  const tests::TemporaryFolder folder;
  const std::string text(8 << 20, 'x');
  std::ofstream(folder / "file", std::ios::binary) << text;
  std::stop_source stop;
  uint64_t lastDone = 0;
  LoadOptions options;
  options.stop = stop.get_token();
  options.progress = [&](uint64_t done, uint64_t all) {
    EXPECT_GT(done, lastDone);
    EXPECT_EQ(all, text.size());
    lastDone = done;
    if (done > all / 2) stop.request_stop();
  };
  auto bytes = InputBytes::open(folder / "file", options);
  ASSERT_TRUE(bytes);
  const size_t got = readAll(*bytes).size();
  EXPECT_GT(got, text.size() / 2);
  EXPECT_LT(got, text.size());
  EXPECT_EQ(bytes->fault(), "stopped");
}

}  // namespace
}  // namespace jitscope::analyzer
