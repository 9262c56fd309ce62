#include "tests/analyzer/question_file.h"

#include <fmt/format.h>

#include <fstream>
#include <stdexcept>
#include <string_view>

namespace jitscope::analyzer {
namespace {

std::vector<std::string> alternatives(std::string_view text) {
  constexpr std::string_view kBetween = " | ";
  std::vector<std::string> result;
  while (true) {
    const size_t end = text.find(kBetween);
    result.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + kBetween.size());
  }
}

/// Takes `word` and the blank behind it off the front of a line.
bool takes(std::string_view& line, std::string_view word) {
  if (!line.starts_with(word)) return false;
  line.remove_prefix(word.size());
  if (line.starts_with(' ')) line.remove_prefix(1);
  return true;
}

class QuestionReader {
 public:
  void take(std::string_view line) {
    if (takes(line, "===")) {
      questions_.emplace_back().name = line;
      messages_ = 0;
      isInput_ = false;
    } else if (questions_.empty()) {
      return;  // what the file says of itself
    } else if (isInput_) {
      takeInput(line);
    } else {
      takeAnswer(line);
    }
  }

  std::vector<Question> result() { return std::move(questions_); }

 private:
  void takeAnswer(std::string_view line) {
    Question& question = questions_.back();
    if (line.empty()) return;
    if (takes(line, "---")) {
      question.kind = line;
      isInput_ = true;
    } else if (takes(line, "?")) {
      question.text += line;
    } else if (takes(line, "refused")) {
      question.isRefused = true;
    } else if (takes(line, "absent")) {
      question.absent.emplace_back(line);
    } else if (takes(line, "expect")) {
      const size_t at = line.find(" @ ");
      ExpectedFinding& expected = question.expected.emplace_back();
      expected.id = line.substr(0, at);
      if (at != std::string_view::npos) expected.place = line.substr(at + 3);
    } else {
      takeDetail(line);
    }
  }

  void takeDetail(std::string_view line) {
    Question& question = questions_.back();
    if (question.expected.empty())
      throw std::runtime_error("no finding to detail: " + question.name);
    ExpectedFinding& expected = question.expected.back();
    if (takes(line, "count"))
      expected.count = std::stoll(std::string(line));
    else if (takes(line, "certainty"))
      expected.certainty = line;
    else if (takes(line, "words"))
      expected.words = alternatives(line);
    else if (takes(line, "never"))
      expected.never = alternatives(line);
    else
      throw std::runtime_error(fmt::format("{}: what is \"{}\"?", question.name, line));
  }

  void takeInput(std::string_view line) {
    Question& question = questions_.back();
    const bool isNew = takes(line, ">>");
    if (isNew) ++messages_;
    if (isNew || takes(line, ">")) {
      question.input +=
          fmt::format("V1201 10:{:02}:{:02}.000000 42 torch/_dynamo/guards.py:2199] {}\n",
                      messages_ / 60, messages_ % 60, line);
    } else {
      question.input.append(line) += '\n';
    }
  }

  std::vector<Question> questions_;
  int64_t messages_ = 0;
  bool isInput_ = false;
};

}  // namespace

std::vector<Question> readQuestions(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  QuestionReader reader;
  for (std::string line; std::getline(file, line);) reader.take(line);
  return reader.result();
}

}  // namespace jitscope::analyzer
