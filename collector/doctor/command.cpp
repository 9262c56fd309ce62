#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <string_view>

#include "collector/doctor.h"
#include "collector/doctor/check.h"
#include "trace/closest_word.h"

namespace jitscope::collector {
namespace {

constexpr const char* kHelp =
    R"(Says what this machine allows, and what to do about the rest.

usage: jitscope doctor

One line a matter: `ok`, `--` (not there, and recording works without it) or `NO`. The exit status
is 0 when programs can be recorded, else 1.
)";

const char* markOf(State state) {
  switch (state) {
    case State::kGood:
      return "ok";
    case State::kAbsent:
      return "--";
    case State::kBad:
      return "NO";
  }
  return "";
}

int refuse(const std::string& word) {
  constexpr std::array<std::string_view, 1> kOptions = {"--help"};
  const std::string_view meant = trace::closestWord(word, kOptions);
  fmt::print(stderr, "jitscope: doctor: unknown option {}{}\n", word,
             meant.empty() ? "; it takes none" : fmt::format("; did you mean {}?", meant));
  return 2;
}

}  // namespace

int doctorCommand(std::span<const std::string> arguments) {
  if (!arguments.empty()) {
    if (arguments[0] != "-h" && arguments[0] != "--help") return refuse(arguments[0]);
    fmt::print("{}", kHelp);
    return 0;
  }
  bool isAllWell = true;
  for (const auto group : {checkRecording, checkCompiling, checkGpu, checkViewing}) {
    for (const Check& check : group()) {
      fmt::print("{}  {:<20} {}{}\n", markOf(check.state), check.matter, check.finding,
                 check.remedy.empty() ? "" : "; " + check.remedy);
      isAllWell = isAllWell && check.state != State::kBad;
    }
  }
  return isAllWell ? 0 : 1;
}

}  // namespace jitscope::collector
