#include "collector/inject/dictionary.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "trace/reader.h"
#include "trace/writer.h"

namespace jitscope::collector {
namespace {

using trace::FileWriter;
using trace::StringId;

std::unique_ptr<FileWriter> newFile(const std::string& path) {
  auto writer = FileWriter::create(path);
  EXPECT_TRUE(writer) << writer.error().text;
  return std::move(*writer);
}

// Never freed, like that of a recorded program, and reachable for a leak checker.
Dictionary& newDictionary() {
  static auto* const kept = new std::vector<Dictionary*>;
  return *kept->emplace_back(new Dictionary);
}

TEST(Dictionary, TeachesANewFileTheSameIds) {
  const tests::TemporaryFolder folder;
  Dictionary& dictionary = newDictionary();
  const auto first = newFile(folder / "first.jitscope");
  for (int index = 0; index < 10'000; ++index) {
    const std::string text = "text " + std::to_string(index);
    dictionary.remember(first->intern(text), text);
  }
  const auto second = newFile(folder / "second.jitscope");
  dictionary.teach(*second);
  for (int index = 0; index < 10'000; index += 7) {
    const std::string text = "text " + std::to_string(index);
    EXPECT_EQ(second->intern(text), first->intern(text));
  }
}

TEST(Dictionary, KeepsLaterIdsInStepWithATextThatItDidNotKeep) {
  const tests::TemporaryFolder folder;
  Dictionary& dictionary = newDictionary();
  const auto first = newFile(folder / "first.jitscope");
  const std::string tooLong(100'000, 'x');
  dictionary.remember(first->intern("before"), "before");
  dictionary.remember(first->intern(tooLong), tooLong);
  dictionary.remember(first->intern("after"), "after");
  const auto second = newFile(folder / "second.jitscope");
  dictionary.teach(*second);
  EXPECT_EQ(second->intern("after"), first->intern("after"));
  second->close();
  const auto file = trace::TraceFile::open(folder / "second.jitscope");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->text(first->intern(tooLong)), "[text 2, lost in a fork]");
}

TEST(Dictionary, TakesTheSameTextsFromManyThreads) {
  const tests::TemporaryFolder folder;
  Dictionary& dictionary = newDictionary();
  const auto first = newFile(folder / "first.jitscope");
  const auto work = [&] {
    for (int index = 0; index < 20'000; ++index) {
      const std::string text = std::to_string(index);
      dictionary.remember(first->intern(text), text);
    }
  };
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  const auto second = newFile(folder / "second.jitscope");
  dictionary.teach(*second);
  EXPECT_EQ(second->intern("19999"), first->intern("19999"));
}

}  // namespace
}  // namespace jitscope::collector
