#include "gui/command_line.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "trace/closest_word.h"

namespace jitscope::gui {
namespace {

constexpr std::array<std::string_view, 4> kNames{"--screenshot", "--size", "--help", "--version"};

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

}  // namespace

const char* helpText() {
  return "usage: jitscope-gui [options] PATH\n"
         "\n"
         "Shows a recording (a .jitscope file, or a folder of them) as two aligned timelines:\n"
         "eager above, compiled below.\n"
         "\n"
         "  --screenshot FILE.png  draw the window into a picture and exit; needs no display\n"
         "  --size WIDTHxHEIGHT    of the window or picture (default 1600x900); the environment's\n"
         "                         QT_SCALE_FACTOR=2 makes a picture of twice the pixels\n"
         "  --help                 show this text\n"
         "  --version              show the version\n"
         "\n"
         "exit status: 0 done, 2 wrong option, 3 the recording or picture could not be read or "
         "written\n";
}

std::variant<Options, std::string> parseCommandLine(const std::vector<std::string>& arguments) {
  Options options;
  bool onlyPaths = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    std::string word = arguments[i];
    if (onlyPaths || word.empty() || word[0] != '-') {
      if (!options.path.empty()) return "more than one PATH: " + word;
      options.path = word;
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
    if (word != "--screenshot" && word != "--size") return unknownOption(word);
    if (!value && i + 1 < arguments.size()) value = arguments[++i];
    if (!value || value->empty()) return word + " needs a value";
    if (word == "--screenshot") {
      options.screenshot = *value;
      continue;
    }
    const auto size = parseSize(*value);
    if (!size) return "--size " + *value + ": give WIDTHxHEIGHT between 960x540 and 16384x16384";
    options.size = *size;
  }
  if (options.path.empty()) return "no PATH given; --help shows the usage";
  return options;
}

}  // namespace jitscope::gui
