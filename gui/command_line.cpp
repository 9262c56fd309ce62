#include "gui/command_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <string_view>

#include "gui/models/time_axis.h"
#include "gui/pages/page_list.h"
#include "trace/closest_word.h"
#include "trace/parse_amount.h"

namespace jitscope::gui {
namespace {

constexpr std::array<std::string_view, 7> kNames{"--screenshot", "--page", "--size",   "--theme",
                                                 "--range",      "--help", "--version"};
/// Those that take a value.
constexpr std::span<const std::string_view> kValued = std::span(kNames).first<5>();

std::string unknownOption(std::string_view word) {
  std::string text = "unknown option " + std::string(word);
  const std::string_view meant = trace::closestWord(word, kNames);
  return meant.empty() ? text + "; --help lists all"
                       : text + "; did you mean " + std::string(meant) + "?";
}

/// "1600x900"; sizes that no picture can have are refused.
std::optional<QSize> parseSize(std::string_view text) {
  int width = 0, height = 0;
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, width);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'x') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, height);
  if (second.ec != std::errc() || second.ptr != end) return std::nullopt;
  const bool fits = width >= 960 && height >= 540 && width <= 16384 && height <= 16384;
  return fits ? std::optional(QSize(width, height)) : std::nullopt;
}

/// "1.2s..1.5s"; what is empty, runs backwards or lasts longer than an axis is refused.
std::optional<TimeRange> parseRange(std::string_view text) {
  const size_t dots = text.find("..");
  if (dots == std::string_view::npos) return std::nullopt;
  const auto begin = trace::parseDuration(text.substr(0, dots));
  const auto end = trace::parseDuration(text.substr(dots + 2));
  const bool fits = begin && end && *begin < *end && *end <= TimeAxis::kFarthestNs;
  return fits ? std::optional(TimeRange{*begin, *end}) : std::nullopt;
}

/// "overview, timelines or kernels".
std::string pageWords() {
  const auto pages = pageList();
  std::string words;
  for (size_t i = 0; i < pages.size(); ++i) {
    if (i > 0) words += i + 1 == pages.size() ? " or " : ", ";
    words += pages[i].word;
  }
  return words;
}

std::string unknownPage(std::string_view word) {
  std::vector<std::string_view> words;
  for (const PageEntry& page : pageList()) words.push_back(page.word);
  const std::string_view meant = trace::closestWord(word, words);
  const std::string text = "--page " + std::string(word) + ": no such page; ";
  return meant.empty() ? text + "give " + pageWords()
                       : text + "did you mean " + std::string(meant) + "?";
}

/// Takes the value of one option; gives the error, or the empty text.
std::string take(std::string_view option, const std::string& value, Options& options) {
  if (option == "--screenshot") {
    options.screenshot = value;
    return {};
  }
  if (option == "--page") {
    if (findPage(value) == pageList().size()) return unknownPage(value);
    options.page = value;
    return {};
  }
  if (option == "--theme") {
    options.theme = themeOfWord(value);
    return options.theme ? std::string() : "--theme " + value + ": give dark, light or system";
  }
  if (option == "--range") {
    options.range = parseRange(value);
    return options.range
               ? std::string()
               : "--range " + value + ": give BEGIN..END, such as 1.2s..1.5s or 0ms..40ms";
  }
  const auto size = parseSize(value);
  if (!size) return "--size " + value + ": give WIDTHxHEIGHT between 960x540 and 16384x16384";
  options.size = *size;
  return {};
}

}  // namespace

const char* helpText() {
  static const std::string kText =
      "usage: jitscope-gui [options] PATH [AFTER]\n"
      "\n"
      "Shows a run as two aligned timelines, eager above, compiled below, and on further pages\n"
      "what was found.\n"
      "\n"
      "  PATH                   a recording (NAME.jitscope), a trace of torch.profiler\n"
      "                         (JSON, also packed), a log of TORCH_TRACE or TORCH_LOGS, an\n"
      "                         export of Nsight Systems (SQLite), or a folder of any of them\n"
      "  AFTER                  a second run; the page diff says what is different in it\n"
      "  --screenshot FILE.png  draw the window into a picture and exit; needs no display\n"
      "  --page PAGE            the page to show (default timelines):\n"
      "                         " +
      pageWords() +
      "\n"
      "  --size WIDTHxHEIGHT    of the window or picture (default 1600x900); the environment's\n"
      "                         QT_SCALE_FACTOR=2 makes a picture of twice the pixels\n"
      "  --range BEGIN..END     what the timelines show, since the recording's begin: 1.2s..1.5s\n"
      "  --theme THEME          dark, light or system (default for a picture); without it a "
      "window\n"
      "                         has the theme that was chosen last\n"
      "  --help                 show this text\n"
      "  --version              show the version\n"
      "\n"
      "exit status: 0 done, 2 wrong option, 3 the recording or picture could not be read or "
      "written\n";
  return kText.c_str();
}

std::variant<Options, std::string> parseCommandLine(const std::vector<std::string>& arguments) {
  Options options;
  bool onlyPaths = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string word = arguments[i];
    if (onlyPaths || word.empty() || word[0] != '-') {
      if (!options.otherPath.empty()) return "more than two PATHs: " + word;
      (options.path.empty() ? options.path : options.otherPath) = word;
      continue;
    }
    if (word == "--") {
      onlyPaths = true;
      continue;
    }
    if (word == "--help" || word == "-h")
      options.wantsHelp = true;
    else if (word == "--version")
      options.wantsVersion = true;
    if (options.wantsHelp || options.wantsVersion) return options;
    std::optional<std::string> value;
    if (const size_t equals = word.find('='); equals != std::string::npos) {
      value = word.substr(equals + 1);
      word.resize(equals);
    }
    if (std::find(kValued.begin(), kValued.end(), word) == kValued.end())
      return unknownOption(word);
    if (!value && i + 1 < arguments.size()) value = arguments[++i];
    if (!value || value->empty()) return word + " needs a value";
    std::string error = take(word, *value, options);
    if (!error.empty()) return error;
  }
  if (options.path.empty()) return "no PATH given; --help shows the usage";
  return options;
}

}  // namespace jitscope::gui
