#include "analyzer/export/chrome_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace jitscope::analyzer {

std::string microseconds(int64_t durationNs) {
  constexpr int64_t kNsPerUs = 1000;
  return fmt::format("{}{}.{:03}", durationNs < 0 ? "-" : "", std::abs(durationNs / kNsPerUs),
                     std::abs(durationNs % kNsPerUs));
}

int64_t ChromeWriter::baseNs() const {
  constexpr int64_t kNsPerUs = 1000;
  return run_.startNs - run_.startNs % kNsPerUs;
}

std::string ChromeWriter::time(int64_t timeNs) const { return microseconds(timeNs - baseNs()); }

int64_t ChromeWriter::processId(ProcessIndex process) const {
  const int64_t pid = run_.processes[process].row.pid;
  const auto hasSame = [&](const Process& other) {
    return other.row.pid == pid && &other != &run_.processes[process];
  };
  const bool isOnly = !std::any_of(run_.processes.begin(), run_.processes.end(), hasSame);
  constexpr int64_t kMadeUp = 1'000'000'000;  // beyond what a system gives out
  return isOnly ? pid : kMadeUp + static_cast<int64_t>(position(process));
}

int64_t ChromeWriter::deviceTrack(ProcessIndex process, int64_t device) {
  if (run_.processes.size() == 1) return device;
  constexpr int64_t kMadeUp = 2'000'000'000;  // beyond those of processes
  const auto next = kMadeUp + static_cast<int64_t>(deviceTracks_.size());
  const auto [track, isNew] = deviceTracks_.try_emplace({process, device}, next);
  if (isNew) {
    event(fmt::format(
        "\"ph\": \"M\", \"name\": \"process_name\", \"pid\": {}, \"tid\": 0, \"args\": {{\"name\": "
        "\"GPU {} of process {}\"}}",
        track->second, device, processId(process)));
  }
  return track->second;
}

int64_t ChromeWriter::correlation(ProcessIndex process, trace::CorrelationId id) const {
  const auto number = static_cast<int64_t>(id);
  constexpr int64_t kUnit = int64_t{1} << 32;  // CUPTI's correlations have 32 bits
  // What has more is of no profiler, and joins nothing.
  if (number <= -kUnit || number >= kUnit || number == 0) return number;
  const int64_t first = static_cast<int64_t>(position(process)) * kUnit;
  return number > 0 ? first + number : number - first;
}

std::string ChromeWriter::correlationArguments(ProcessIndex process,
                                               trace::CorrelationId id) const {
  const int64_t number = correlation(process, id);
  if (number == 0) return {};
  if (number == std::numeric_limits<int64_t>::min()) return {};  // has no positive counterpart
  return number > 0 ? fmt::format("\"correlation\": {}", number)
                    : fmt::format("\"External id\": {}", -number);
}

void ChromeWriter::event(std::string_view members) {
  constexpr size_t kFull = 1 << 20;
  buffer_ += isFirst_ ? "\n{" : ",\n{";
  buffer_ += members;
  buffer_ += '}';
  isFirst_ = false;
  if (buffer_.size() > kFull) flush();
}

void ChromeWriter::span(const ChromeSpan& span) {
  event(
      fmt::format("\"ph\": \"X\", \"cat\": \"{}\", \"name\": {}, \"pid\": {}, \"tid\": {}, \"ts\": "
                  "{}, \"dur\": "
                  "{}, \"args\": {{{}}}",
                  span.category, span.name, span.process, span.thread, time(span.startNs),
                  microseconds(span.endNs - span.startNs), span.arguments));
}

void ChromeWriter::mark(const ChromeSpan& span) {
  event(fmt::format(
      "\"ph\": \"i\", \"s\": \"t\", \"cat\": \"{}\", \"name\": {}, \"pid\": {}, \"tid\": {}, "
      "\"ts\": "
      "{}, \"args\": {{{}}}",
      span.category, span.name, span.process, span.thread, time(span.startNs), span.arguments));
}

void ChromeWriter::arrow(bool isStart, const ChromeSpan& end, int64_t id) {
  event(
      fmt::format("\"ph\": \"{}\", \"cat\": \"ac2g\", \"name\": \"ac2g\", \"id\": {}, \"pid\": {}, "
                  "\"tid\": {}, "
                  "\"ts\": {}{}",
                  isStart ? 's' : 'f', id, end.process, end.thread, time(end.startNs),
                  isStart ? "" : ", \"bp\": \"e\""));
}

void ChromeWriter::flush() {
  file_.write(buffer_);
  buffer_.clear();
}

}  // namespace jitscope::analyzer
