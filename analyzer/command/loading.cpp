#include "analyzer/command/loading.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <set>
#include <utility>

#include "trace/closest_word.h"
#include "trace/parse_amount.h"

namespace jitscope::analyzer {
namespace {

/// Writes how far loading is, in one line that it writes over. Silent where nobody looks.
class ProgressLine {
 public:
  ProgressLine(std::string path, std::ostream& errors)
      : path_(std::move(path)),
        errors_(errors),
        isSeen_(&errors == &std::cerr && isatty(STDERR_FILENO) != 0) {}

  ~ProgressLine() {
    if (isShown_) errors_ << "\r\x1b[K" << std::flush;
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void show(uint64_t doneBytes, uint64_t allBytes) {
    using namespace std::chrono_literals;
    const auto now = std::chrono::steady_clock::now();
    if (!isSeen_ || now < next_) return;
    next_ = now + 100ms;
    isShown_ = true;
    constexpr uint64_t kMib = 1 << 20;
    const uint64_t percent = allBytes == 0 ? 100 : 100 * doneBytes / allBytes;
    errors_ << fmt::format("\r\x1b[Kreading {}: {} % of {} MiB", path_, percent, allBytes / kMib)
            << std::flush;
  }

 private:
  std::string path_;
  std::ostream& errors_;
  bool isSeen_, isShown_ = false;
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
};

}  // namespace

std::string_view Loading::help() {
  return "  --rank N           only the processes of that rank\n"
         "  --frame NAME       only that compiled callable, by its name or its number F\n"
         "  --since DURATION   only what starts so long after the run's start or later (2s, "
         "300ms)\n"
         "  --most-unpacked SIZE  unpack no file to more than that (4 GiB); a packed file that\n"
         "                     unpacks to 200 times its size is taken for a bomb otherwise\n";
}

std::vector<Option> Loading::options() {
  return {Option{"--rank", "", true, [this](const auto& text) { return takeRank(text); }},
          textOption("--frame", options_.filter.frame),
          Option{"--since", "", true, [this](const auto& text) { return takeSince(text); }},
          Option{"--most-unpacked", "", true,
                 [this](const auto& text) { return takeMostUnpacked(text); }}};
}

trace::Result<void> Loading::takeRank(const std::string& text) {
  int64_t rank = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
  const bool isNumber = problem == std::errc() && end == text.data() + text.size();
  if (!isNumber || rank < 0)
    return trace::Error{fmt::format("--rank takes a number from 0 on, not '{}'", text)};
  options_.filter.rank = rank;
  return {};
}

trace::Result<void> Loading::takeSince(const std::string& text) {
  const std::optional<int64_t> since = trace::parseDuration(text);
  if (!since)
    return trace::Error{
        fmt::format("--since takes a duration such as 2s, 300ms or 2m, not '{}'", text)};
  options_.filter.sinceNs = *since;
  return {};
}

trace::Result<void> Loading::takeMostUnpacked(const std::string& text) {
  const std::optional<uint64_t> size = trace::parseSize(text);
  if (!size || *size == 0)
    return trace::Error{
        fmt::format("--most-unpacked takes a size such as 4GiB or 500MB, not '{}'", text)};
  options_.mostUnpackedBytes = *size;
  return {};
}

trace::Result<Run> Loading::load(const std::string& path, std::ostream& errors) const {
  trace::Result<Run> run = loadWith(options_, path, errors);
  if (!run) return run;
  const trace::Result<void> known = checkFrame({&*run}, errors);
  return known ? std::move(run) : trace::Result<Run>(known.error());
}

trace::Result<std::pair<Run, Run>> Loading::loadPair(const std::string& before,
                                                     const std::string& after,
                                                     std::ostream& errors) const {
  trace::Result<Run> first = loadWith(options_, before, errors);
  if (!first) return first.error();
  trace::Result<Run> second = loadWith(options_, after, errors);
  if (!second) return second.error();
  const trace::Result<void> known = checkFrame({&*first, &*second}, errors);
  if (!known) return known.error();
  return std::pair(std::move(*first), std::move(*second));
}

trace::Result<Run> Loading::loadWith(LoadOptions options, const std::string& path,
                                     std::ostream& errors) const {
  ProgressLine line(path, errors);
  options.progress = [&](uint64_t doneBytes, uint64_t allBytes) { line.show(doneBytes, allBytes); };
  return loadRun(path, options);
}

/// The names there are instead take another reading: the filter has left none, and a typo is rare.
trace::Result<void> Loading::checkFrame(std::initializer_list<const Run*> runs,
                                        std::ostream& errors) const {
  const std::string& wanted = options_.filter.frame;
  const auto hasIt = [](const Run* run) { return !run->frames.empty(); };
  if (wanted.empty() || std::any_of(runs.begin(), runs.end(), hasIt)) return {};
  LoadOptions unfiltered = options_;
  unfiltered.filter.frame.clear();
  std::set<std::string> names;
  for (const Run* run : runs) {
    const trace::Result<Run> all = loadWith(unfiltered, run->path.string(), errors);
    if (!all) return all.error();
    for (const Frame& frame : all->frames) names.emplace(all->text(frame.name));
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  return trace::unknownWord("frame", wanted, known).within((*runs.begin())->path.string());
}

}  // namespace jitscope::analyzer
