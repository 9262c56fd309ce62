#include "analyzer/command/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "analyzer/export/unfinished_target.h"

namespace jitscope::analyzer {
namespace {

/// A file's name may hold any character; what is told stays one line.
std::string oneLine(std::string text) {
  const auto isControl = [](unsigned char letter) { return letter < ' '; };
  std::replace_if(text.begin(), text.end(), isControl, '?');
  return text;
}

trace::Error cannotWrite(const std::string& name, std::string_view what, const std::string& why) {
  return {fmt::format("{}: cannot write {}: {}", name, what, why)};
}

std::string streamFault() { return errno == 0 ? "stream failed" : std::strerror(errno); }

trace::Result<void> writeFile(const std::string& text, const std::string& path,
                              std::string_view what) {
  UnfinishedTarget unfinished(path);
  errno = 0;
  std::ofstream file(unfinished.path(), std::ios::binary);
  if (file) file << text;
  if (file) file.close();
  if (!file) return cannotWrite(path, what, streamFault());
  const trace::Result<void> finished = unfinished.finish();
  return finished ? finished : cannotWrite(path, what, finished.error().text);
}

}  // namespace

BrokenPipesAreErrors::BrokenPipesAreErrors() : before_(std::signal(SIGPIPE, SIG_IGN)) {}

BrokenPipesAreErrors::~BrokenPipesAreErrors() {
  if (before_ != SIG_ERR) std::signal(SIGPIPE, before_);
}

trace::Result<void> writeOutput(const std::string& text, const std::string& path,
                                std::string_view what, std::ostream& output) {
  if (!path.empty()) return writeFile(text, path, what);
  errno = 0;
  // A reader that has seen enough (head, less) is no fault.
  if (output << text << std::flush || errno == EPIPE) return {};
  return cannotWrite("standard output", what, streamFault());
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
