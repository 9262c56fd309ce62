#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/export/json_texts.h"
#include "analyzer/export/output_file.h"
#include "analyzer/run.h"

namespace jitscope::analyzer {

/// A span of a Chrome trace: what all of them have.
struct ChromeSpan {
  std::string_view category;
  std::string name;  ///< as a JSON string
  int64_t process = 0, thread = 0;
  int64_t startNs = 0, endNs = 0;
  std::string arguments;  ///< members of "args": `"bytes": 4`; may be empty
};

/// Writes the elements of `traceEvents`. For one thread.
class ChromeWriter {
 public:
  /// Both must outlive this.
  ChromeWriter(const Run& run, OutputFile& file) : run_(run), file_(file), texts_(run) {}

  /// Writes text between elements.
  void raw(std::string_view text) { buffer_ += text; }

  /// Writes an element of these members.
  void event(std::string_view members);

  void span(const ChromeSpan& span);

  /// A mark without duration.
  void mark(const ChromeSpan& span);

  /// One end of an arrow from a launch to what it started.
  void arrow(bool isStart, const ChromeSpan& end, int64_t id);

  /// What times count from: the run's start, or the whole microsecond before it. So each has the
  /// fraction of a microsecond that it has since the epoch, and readers that round (HTA) round it
  /// as they do in the trace that it came from.
  int64_t baseNs() const;

  /// Microseconds since the base with three decimals.
  std::string time(int64_t timeNs) const;

  /// A text of the run as a JSON string.
  const std::string& text(trace::StringId id) { return texts_.of(id); }

  /// The process's own id, or a made-up one where two recordings have the same.
  int64_t processId(ProcessIndex process) const;

  /// The id of a device's track, which is of one process of the run alone: where there are several,
  /// each has its own made-up ones.
  int64_t deviceTrack(ProcessIndex process, int64_t device);

  /// A correlation, which counts within its process, as one that counts within the file.
  int64_t correlation(ProcessIndex process, trace::CorrelationId id) const;

  /// It as members of "args": a positive one is the driver's, a negative one the profiler's own id.
  /// Empty when there is none.
  std::string correlationArguments(ProcessIndex process, trace::CorrelationId id) const;

  /// Hands all to the file.
  void flush();

 private:
  const Run& run_;
  OutputFile& file_;
  JsonTexts texts_;
  std::string buffer_;
  bool isFirst_ = true;
  std::map<std::pair<ProcessIndex, int64_t>, int64_t> deviceTracks_;  ///< where they are made up
};

/// A duration as microseconds with three decimals, exactly.
std::string microseconds(int64_t durationNs);

}  // namespace jitscope::analyzer
