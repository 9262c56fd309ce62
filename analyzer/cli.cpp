#include "analyzer/cli.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>

#include "analyzer/analysis.h"
#include "analyzer/report.h"
#include "analyzer/run.h"
#include "trace/closest_word.h"

namespace jitscope::analyzer {
namespace {

enum ExitStatus : int { kDone = 0, kUsage = 2, kBadInput = 3 };

constexpr std::string_view kHelp =
    "usage: jitscope report PATH [--format text|json|markdown] [-o FILE]\n"
    "\n"
    "  PATH       a trace file (NAME.jitscope) or a folder of them\n"
    "  --format   form of the report; text if not given\n"
    "  -o FILE    write to FILE instead of standard output\n";

constexpr std::array<std::string_view, 6> kOptions{"--format", "-o", "--output",
                                                   "--help",   "-h", "--"};
constexpr std::array<std::string_view, 3> kFormats{"text", "json", "markdown"};

/// What a command line asks for.
struct Request {
  std::string path;
  std::string outputPath;  ///< empty: standard output
  ReportFormat format = ReportFormat::kText;
  bool wantsHelp = false;
};

trace::Error wrongWord(std::string_view what, std::string_view word,
                       std::span<const std::string_view> known) {
  const std::string_view meant = trace::closestWord(word, known);
  std::string text = fmt::format("{} '{}'", what, word);
  if (!meant.empty()) return {text + fmt::format(", did you mean '{}'?", meant)};
  text += ", known are";
  for (size_t i = 0; i < known.size(); ++i)
    text += fmt::format("{} {}", i == 0 ? "" : ",", known[i]);
  return {text};
}

/// Reads the arguments one by one.
class RequestParser {
 public:
  explicit RequestParser(std::span<const std::string> arguments) : arguments_(arguments) {}

  trace::Result<Request> parse() {
    while (next_ < arguments_.size()) {
      const trace::Result<void> taken = take(arguments_[next_++]);
      if (!taken) return taken.error();
      if (request_.wantsHelp) return request_;
    }
    if (request_.path.empty())
      return trace::Error{"no PATH given, it takes a trace file or a folder"};
    return request_;
  }

 private:
  trace::Result<void> take(std::string_view argument) {
    if (onlyPaths_ || argument == "-" || !argument.starts_with('-')) return takePath(argument);
    const size_t equals = argument.starts_with("--") ? argument.find('=') : std::string_view::npos;
    const std::string_view option = argument.substr(0, equals);
    if (option == "--")
      onlyPaths_ = true;
    else if (option == "-h" || option == "--help")
      request_.wantsHelp = true;
    else if (option == "--format")
      return takeFormat(valueOf(option, argument, equals));
    else if (option == "-o" || option == "--output") {
      return takeOutput(valueOf(option, argument, equals));
    } else
      return wrongWord("unknown option", option, kOptions);
    return {};
  }

  trace::Result<std::string> valueOf(std::string_view option, std::string_view argument,
                                     size_t equals) {
    if (equals != std::string_view::npos) return std::string(argument.substr(equals + 1));
    if (next_ == arguments_.size()) return trace::Error{fmt::format("{} needs a value", option)};
    return arguments_[next_++];
  }

  trace::Result<void> takePath(std::string_view path) {
    if (!request_.path.empty()) {
      return trace::Error{
          fmt::format("one PATH only, '{}' is one too many (put the files of a run "
                      "into a folder)",
                      path)};
    }
    if (path.empty()) return trace::Error{"PATH is empty"};
    request_.path = path;
    return {};
  }

  trace::Result<void> takeFormat(const trace::Result<std::string>& value) {
    if (!value) return value.error();
    const std::optional<ReportFormat> format = reportFormat(*value);
    if (!format) return wrongWord("unknown format", *value, kFormats);
    request_.format = *format;
    return {};
  }

  trace::Result<void> takeOutput(const trace::Result<std::string>& value) {
    if (!value) return value.error();
    if (value->empty()) return trace::Error{"-o needs the name of a file"};
    request_.outputPath = *value;
    return {};
  }

  std::span<const std::string> arguments_;
  size_t next_ = 0;
  bool onlyPaths_ = false;
  Request request_;
};

/// While one lives, writing to a closed pipe is an error of the write instead of the process's end.
class BrokenPipesAreErrors {
 public:
  BrokenPipesAreErrors() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  ~BrokenPipesAreErrors() {
    if (before_ != SIG_ERR) std::signal(SIGPIPE, before_);
  }
  BrokenPipesAreErrors(const BrokenPipesAreErrors&) = delete;
  BrokenPipesAreErrors& operator=(const BrokenPipesAreErrors&) = delete;

 private:
  void (*before_)(int);
};

bool isRecording(const Run& run, const std::string& path) {
  std::error_code absent;  // then it is nothing that could be lost
  return std::any_of(run.processes.begin(), run.processes.end(), [&](const Process& process) {
    return std::filesystem::equivalent(process.path, path, absent);
  });
}

/// Writes to the file, or to `output` when no file is named.
trace::Result<void> write(const Request& request, const std::string& report, std::ostream& output) {
  std::ofstream file;
  errno = 0;
  if (!request.outputPath.empty()) file.open(request.outputPath, std::ios::binary);
  std::ostream& target = request.outputPath.empty() ? output : file;
  if (target) target << report << std::flush;
  if (target) return {};
  // A reader that has seen enough (head, less) is no fault.
  if (request.outputPath.empty() && errno == EPIPE) return {};
  const std::string name = request.outputPath.empty() ? "standard output" : request.outputPath;
  return trace::Error{fmt::format("{}: cannot write the report: {}", name,
                                  errno == 0 ? "stream failed" : std::strerror(errno))};
}

/// A file's name may hold any character; what is told stays one line.
std::string oneLine(std::string text) {
  const auto isControl = [](unsigned char letter) { return letter < ' '; };
  std::replace_if(text.begin(), text.end(), isControl, '?');
  return text;
}

/// Tells damage as `PATH: what: where`: one line for each file that cannot be read at all, and one
/// for the damaged places in those that can. Whether there was any.
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

}  // namespace

int reportCommand(std::span<const std::string> arguments, std::ostream& output,
                  std::ostream& errors) {
  const trace::Result<Request> request = RequestParser(arguments).parse();
  if (!request) {
    errors << "jitscope report: " << oneLine(request.error().text) << "\n";
    return kUsage;
  }
  if (request->wantsHelp) {
    output << kHelp << std::flush;
    return kDone;
  }
  const trace::Result<Run> run = loadRun(request->path);
  if (!run) {
    errors << oneLine(run.error().text) << "\n";
    return kBadInput;
  }
  if (isRecording(*run, request->outputPath)) {
    errors << "jitscope report: " << oneLine(request->outputPath)
           << ": is the recording itself, name another file with -o\n";
    return kUsage;
  }
  const std::string report = renderReport(*run, analyze(*run), request->format);
  const bool isDamaged = tellDamage(*run, errors);
  const trace::Result<void> written = write(*request, report, output);
  if (!written) {
    errors << "jitscope report: " << oneLine(written.error().text) << "\n";
    return kUsage;
  }
  return isDamaged ? kBadInput : kDone;
}

int reportCommand(std::span<const std::string> arguments) {
  const BrokenPipesAreErrors scope;
  return reportCommand(arguments, std::cout, std::cerr);
}

}  // namespace jitscope::analyzer
