#include "analyzer/command/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace jitscope::analyzer {

std::string oneLine(std::string text) {
  const auto isControl = [](unsigned char letter) { return letter < ' '; };
  std::replace_if(text.begin(), text.end(), isControl, '?');
  return text;
}

BrokenPipesAreErrors::BrokenPipesAreErrors() : before_(std::signal(SIGPIPE, SIG_IGN)) {}

BrokenPipesAreErrors::~BrokenPipesAreErrors() {
  if (before_ != SIG_ERR) std::signal(SIGPIPE, before_);
}

AnswerOutput::AnswerOutput(const std::string& path, std::string_view what, std::ostream& output)
    : name_(path.empty() ? "standard output" : path), what_(what), output_(output) {
  errno = 0;
  if (!path.empty()) file_.open(unfinished_.emplace(path).path(), std::ios::binary);
  errorNumber_ = errno;
}

std::ostream& AnswerOutput::stream() { return unfinished_ ? file_ : output_; }

bool AnswerOutput::write(std::string_view text) {
  if (!stream()) return false;
  errno = 0;
  if (stream() << text) return true;
  errorNumber_ = errno;
  return false;
}

trace::Result<void> AnswerOutput::close() {
  if (stream()) {
    errno = 0;
    if (unfinished_)
      file_.close();
    else
      output_ << std::flush;
    errorNumber_ = errno;
  }
  const auto fault = [&](const std::string& why) {
    return trace::Error{fmt::format("{}: cannot write {}: {}", name_, what_, why)};
  };
  if (!stream()) {
    // A reader that has seen enough (head, less) is no fault.
    if (!unfinished_ && errorNumber_ == EPIPE) return {};
    return fault(errorNumber_ == 0 ? "stream failed" : std::strerror(errorNumber_));
  }
  if (!unfinished_) return {};
  const trace::Result<void> finished = unfinished_->finish();
  return finished ? finished : fault(finished.error().text);
}

trace::Result<void> writeOutput(const std::string& text, const std::string& path,
                                std::string_view what, std::ostream& output) {
  AnswerOutput answer(path, what, output);
  answer.write(text);
  return answer.close();
}

bool isRecording(const Run& run, const std::string& path) {
  std::error_code absent;  // then it is nothing that could be lost
  return std::any_of(run.inputs.begin(), run.inputs.end(), [&](const Input& input) {
    return std::filesystem::equivalent(input.path, path, absent);
  });
}

int fail(std::ostream& errors, std::string_view command, const trace::Error& error,
         ExitStatus status) {
  if (!command.empty()) errors << "jitscope " << command << ": ";
  errors << oneLine(error.text) << "\n";
  return status;
}

bool isDamaged(const Run& run) {
  return std::any_of(run.losses.begin(), run.losses.end(),
                     [](const Loss& loss) { return loss.isDamage; });
}

bool tellDamage(const Run& run, std::ostream& errors) {
  const Loss* first = nullptr;
  size_t files = 0, places = 0;
  for (const Loss& loss : run.losses) {
    if (!loss.isDamage) continue;
    if (loss.place.empty()) {
      ++files;
      errors << oneLine(loss.text) << "\n";
    } else if (places++ == 0) {
      first = &loss;
    }
  }
  if (first != nullptr) {
    errors << oneLine(run.path.string() + ": " + first->text + ": " + first->place);
    if (places > 1) errors << fmt::format(" (and {} more places)", places - 1);
    errors << "\n";
  }
  return files + places > 0;
}

}  // namespace jitscope::analyzer
