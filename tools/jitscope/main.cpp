// The program `jitscope`: hands each subcommand to the module that serves it.
#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/cli.h"
#include "collector/doctor.h"
#include "tools/jitscope/record_and_check.h"
#include "trace/closest_word.h"

namespace {

using Arguments = std::span<const std::string>;

struct Subcommand {
  std::string_view name;
  const char* purpose;
  int (*run)(Arguments);
};

constexpr std::array kSubcommands = {
    Subcommand{"record",
               "run a program and record what it compiles and runs; with --check also\n"
               "           hold it against limits",
               recordAndCheck},
    Subcommand{"report", "say what a recording shows: breaks, recompiles, what they cost",
               jitscope::analyzer::reportCommand},
    Subcommand{"check", "hold a run against limits and a baseline, for CI",
               jitscope::analyzer::checkCommand},
    Subcommand{"diff", "say what is new, gone, slower and faster in a second run",
               jitscope::analyzer::diffCommand},
    Subcommand{"query", "answer SQL over the tables of a run", jitscope::analyzer::queryCommand},
    Subcommand{"export", "write a run for other tools: Perfetto, HTA, CSV, SQLite, Parquet",
               jitscope::analyzer::exportCommand},
    Subcommand{"doctor", "say what this machine allows, and what to do about the rest",
               jitscope::collector::doctorCommand},
};

void printHelp() {
  std::printf(
      "Shows what a graph compiler did to a program.\n\nusage: jitscope SUBCOMMAND ...\n\n");
  for (const Subcommand& subcommand : kSubcommands) {
    std::printf("  %-8s %s\n", subcommand.name.data(), subcommand.purpose);
  }
  std::printf(
      "\n  -h, --help     this text; `jitscope SUBCOMMAND --help` for more\n"
      "      --version  the version\n");
}

int refuse(const std::string& word) {
  std::vector<std::string_view> known = {"--help", "--version"};
  for (const Subcommand& subcommand : kSubcommands) known.push_back(subcommand.name);
  const std::string_view meant = jitscope::trace::closestWord(word, known);
  std::string text =
      "unknown " + std::string(word.starts_with('-') ? "option " : "subcommand ") + word;
  text += meant.empty() ? "; see jitscope --help" : "; did you mean " + std::string(meant) + '?';
  std::fprintf(stderr, "jitscope: %s\n", text.c_str());
  return 2;
}

int dispatch(Arguments words) {
  if (words.empty()) {
    std::fprintf(stderr, "jitscope: no subcommand; see jitscope --help\n");
    return 2;
  }
  const std::string& first = words[0];
  if (first == "-h" || first == "--help") {
    printHelp();
    return 0;
  }
  if (first == "--version") {
    std::puts("jitscope " JITSCOPE_VERSION);
    return 0;
  }
  const auto found = std::find_if(kSubcommands.begin(), kSubcommands.end(),
                                  [&](const Subcommand& each) { return each.name == first; });
  return found == kSubcommands.end() ? refuse(first) : found->run(words.subspan(1));
}

}  // namespace

int main(int argumentCount, char** arguments) {
  try {
    const std::vector<std::string> words(arguments + 1, arguments + argumentCount);
    return dispatch(words);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "jitscope: %s\n", failure.what());
    return 3;
  }
}
