#include "compiler/source/user_stack.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/compiler/source_lines.h"

namespace jitscope::compiler {
namespace {

struct Seen {
  UserStack stack;
  int64_t line = 0;
};

__attribute__((noinline)) Seen innermost() {
  Seen seen;
  seen.stack = UserStack::here(), seen.line = __LINE__;
  return seen;
}

__attribute__((noinline)) Seen outer(int64_t& line) {
  Seen seen = innermost();
  line = __LINE__ - 1;
  return seen;
}

TEST(UserStack, NamesFileLineAndFunctionOfEachFrame) {
  NEEDS_SOURCE_LINES();
  int64_t outerLine = 0;
  const Seen seen = outer(outerLine);
  const std::vector<SourceLine> lines = symbolize(seen.stack);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_TRUE(lines[0].file.ends_with("user_stack_test.cpp")) << lines[0].file;
  EXPECT_EQ(lines[0].line, seen.line);
  EXPECT_NE(lines[0].function.find("innermost"), std::string::npos) << lines[0].function;
  EXPECT_EQ(lines[1].line, outerLine);
  EXPECT_NE(lines[1].function.find("outer"), std::string::npos) << lines[1].function;
  EXPECT_EQ(userLine(seen.stack), lines[0]);
}

inline __attribute__((always_inline)) Seen inlined() { return innermost(); }
__attribute__((noinline)) Seen callsInlined(int64_t& line) {
  Seen seen = inlined();
  line = __LINE__ - 1;
  return seen;
}

TEST(UserStack, ExpandsInlinedFunctions) {
  NEEDS_SOURCE_LINES();
  int64_t line = 0;
  const std::vector<SourceLine> lines = symbolize(callsInlined(line).stack);
  ASSERT_GE(lines.size(), 3u);
  EXPECT_NE(lines[1].function.find("inlined"), std::string::npos) << lines[1].function;
  EXPECT_NE(lines[2].function.find("callsInlined"), std::string::npos) << lines[2].function;
  EXPECT_EQ(lines[2].line, line);
}

TEST(UserStack, LeavesTheStandardLibraryOut) {
  Seen seen;
  const std::function<void()> call = [&] { seen = innermost(); };
  call();
  for (const SourceLine& line : symbolize(seen.stack)) {
    EXPECT_EQ(line.file.find("/include/c++/"), std::string::npos) << line.file;
  }
}

TEST(UserStack, TextHasOneLinePerFrame) {
  NEEDS_SOURCE_LINES();
  int64_t line = 0;
  const Seen seen = outer(line);
  const std::string text = stackText(seen.stack);
  EXPECT_NE(text.find("user_stack_test.cpp:" + std::to_string(seen.line) + " "), std::string::npos)
      << text;
  EXPECT_EQ(static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1,
            symbolize(seen.stack).size());
}

// Two callers at the same depth: their frames have the same places on the stack.
__attribute__((noinline)) Seen twin(bool isFirst) { return isFirst ? innermost() : innermost(); }
__attribute__((noinline)) Seen callsTwin(bool isFirst) {
  if (isFirst) {
    Seen seen = twin(true);
    seen.line = 1;
    return seen;
  }
  Seen seen = twin(true);
  seen.line = 2;
  return seen;
}

__attribute__((noinline)) UserStack plainStack(int depth) {
  if (depth > 0) {
    UserStack stack = plainStack(depth - 1);
    // Keeps the recursion a real one.
    asm volatile("" ::: "memory");
    return stack;
  }
  return UserStack::here();
}

TEST(UserStack, SeesThatTheSameDepthWasReachedOverAnotherLine) {
  NEEDS_SOURCE_LINES();
  const Seen first = callsTwin(true), second = callsTwin(false), third = callsTwin(true);
  const auto callerLine = [](const Seen& seen) {
    for (const SourceLine& line : symbolize(seen.stack)) {
      if (line.function.find("callsTwin") != std::string::npos) return line.line;
    }
    return int64_t{-1};
  };
  EXPECT_NE(callerLine(first), -1);
  EXPECT_NE(callerLine(first), callerLine(second));
  EXPECT_EQ(callerLine(first), callerLine(third));
}

TEST(UserStack, StaysTheSameHoweverDeepTheLastOneWas) {
  UserStack reference;
  for (int depth : {0,  1,  2,  3,  4,  5,  8,  13, 17, 18,  19, 20, 21,
                    22, 23, 24, 25, 26, 27, 28, 29, 30, 200, 3,  1}) {
    plainStack(depth);
    const UserStack stack = plainStack(3);
    if (reference.isEmpty()) reference = stack;
    EXPECT_EQ(stack.depth, reference.depth) << depth;
    EXPECT_EQ(stack.addresses, reference.addresses) << depth;
  }
}

TEST(UserStack, KeepsTheInnermostFramesOfADeepStack) {
  NEEDS_SOURCE_LINES();
  const UserStack stack = plainStack(500);
  EXPECT_EQ(stack.depth, UserStack::kMaxDepth);
  EXPECT_NE(userLine(stack).function.find("plainStack"), std::string::npos);
}

TEST(UserStack, WorksFromSeveralThreadsAtOnce) {
  NEEDS_SOURCE_LINES();
  std::vector<std::thread> threads;
  std::vector<int64_t> bad(4);
  for (size_t t = 0; t < bad.size(); ++t) {
    threads.emplace_back([&bad, t] {
      for (int i = 0; i < 200; ++i) {
        const Seen seen = innermost();
        if (userLine(seen.stack).line != seen.line) ++bad[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(bad, std::vector<int64_t>(4));
}

TEST(UserStack, IsEmptyWithoutFrames) {
  const UserStack none;
  EXPECT_TRUE(none.isEmpty());
  EXPECT_TRUE(symbolize(none).empty());
  EXPECT_EQ(userLine(none), SourceLine{});
  EXPECT_EQ(stackText(none), "");
}

TEST(UserStack, LeavesOutTheCLibraryAndAddressesWithoutCode) {
  UserStack stack;
  stack.addresses[0] = reinterpret_cast<uintptr_t>(&std::abort) + 1;
  stack.depth = 1;
  EXPECT_TRUE(symbolize(stack).empty()) << "the C library is not user code";
  stack.addresses[0] = 64;
  EXPECT_TRUE(symbolize(stack).empty()) << "no module is there";
}

int takeStack(void* stack) {
  *static_cast<UserStack*>(stack) = UserStack::here();
  return 0;
}

/// A stack that goes through the library's function.
UserStack stackThroughPlugin(const char* path, const char* function) {
  void* library = dlopen(path, RTLD_NOW);
  EXPECT_NE(library, nullptr) << dlerror();
  const auto call = reinterpret_cast<int (*)(int (*)(void*), void*)>(dlsym(library, function));
  UserStack stack;
  EXPECT_EQ(call(takeStack, &stack), 1);
  return stack;
}

/// The line of the library's function on such a stack.
SourceLine lineInPlugin(const char* path, const char* function = "callBackFromPlugin") {
  for (const SourceLine& line : symbolize(stackThroughPlugin(path, function))) {
    if (line.function == function) return line;
  }
  return {};
}

TEST(UserStack, NamesLinesOfALibraryThatIsLoadedLater) {
  NEEDS_SOURCE_LINES();
  symbolize(innermost().stack);
  const SourceLine line = lineInPlugin(STACK_PLUGIN);
  EXPECT_TRUE(line.file.ends_with("stack_plugin.cpp")) << line.file;
  EXPECT_EQ(line.line, 5);
}

TEST(UserStack, SaysModuleAndOffsetWithoutDebugInformation) {
  const SourceLine line = lineInPlugin(STACK_PLUGIN_BARE);
  EXPECT_EQ(line.file.find("libstack_plugin_bare.so+0x"), 0u) << line.file;
  EXPECT_EQ(line.line, 0);
}

TEST(UserStack, KeepsFunctionsThatAreNamedNearlyAsTheRuntimes) {
  const SourceLine line = lineInPlugin(STACK_PLUGIN_BARE, "cold_start");
  EXPECT_EQ(line.file.find("libstack_plugin_bare.so+0x"), 0u) << line.file;
}

TEST(UserStack, LeavesOutTheLibrariesThatRecordTheProgram) {
  const UserStack stack = stackThroughPlugin(STACK_PLUGIN_OWN, "callBackFromPlugin");
  const std::vector<SourceLine> lines = symbolize(stack);
  ASSERT_GE(lines.size(), 2u);
  for (const SourceLine& line : lines) EXPECT_NE(line.function, "callBackFromPlugin") << line.file;
  const std::string text = stackText(stack);
  EXPECT_EQ(text.find("stack_plugin"), std::string::npos) << text;
  EXPECT_NE(text.find("stackThroughPlugin"), std::string::npos) << text;
}

TEST(FunctionLine, IsWhereTheFunctionIsWritten) {
  NEEDS_SOURCE_LINES();
  const SourceLine line = functionLine(reinterpret_cast<const void*>(&innermost));
  EXPECT_TRUE(line.file.ends_with("user_stack_test.cpp")) << line.file;
  EXPECT_NE(line.function.find("innermost"), std::string::npos) << line.function;
  EXPECT_GT(line.line, 15);
  EXPECT_LT(line.line, 26);
}

}  // namespace
}  // namespace jitscope::compiler
