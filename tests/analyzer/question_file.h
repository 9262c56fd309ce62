#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace jitscope::analyzer {

/// A finding that an answer must have.
struct ExpectedFinding {
  std::string id;     ///< how it begins
  std::string place;  ///< `file:line`; empty: any
  int64_t count = -1;
  std::string certainty;
  std::vector<std::string> words;  ///< in title, cause or fix
  std::vector<std::string> never;  ///< words that would be wrong
};

/// What a user has, asks, and should be told.
struct Question {
  std::string name;
  std::string text;  ///< what the user asks
  std::vector<ExpectedFinding> expected;
  bool isRefused = false;           ///< the input is no log of the compiler
  std::vector<std::string> absent;  ///< beginnings of ids that must not be found
  std::string kind;                 ///< of the input: "log", "trace" or "rows"
  std::string input;
};

/// The questions of a file. A question has these lines, an input last:
///
///     === Name
///     ? what the user asks
///     expect ID [@ FILE:LINE]
///     count N
///     certainty certain|likely|unknown
///     words one | another
///     never one | another
///     absent ID
///     refused
///     --- log|trace|rows
///
/// In logs and traces a line `>> text` is a message of its own with the prefix that PyTorch writes,
/// and `> text` a further line of it; other lines stand as they are. Throws std::runtime_error.
std::vector<Question> readQuestions(const std::filesystem::path& path);

}  // namespace jitscope::analyzer
