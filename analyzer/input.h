#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

/// \file
/// What was found in the files that a run was loaded from, whatever their format.
namespace jitscope::analyzer {

/// Something that an input holds a number of, e.g. `kern` 768 or `kern_us` 10862.9.
struct InputCount {
  std::string name;
  std::variant<int64_t, double> amount;
};

/// What happened to a part of an input that could not be taken as it stands.
enum class InputLossKind {
  kRepaired,  ///< wrong by the format's rules, but what it means is plain; taken
  kForeign,   ///< does not belong to the format (lines of other programs); stepped over
  kSkipped,   ///< a record that could not be understood; left out
  kCut,       ///< the input ends in the midst of something
  kAbsent,    ///< a part that the format can have is not there
};

/// `amount` parts of one kind at one place.
struct InputLoss {
  InputLossKind kind = InputLossKind::kSkipped;
  std::string place;  ///< e.g. "traceEvents", "line 17"
  std::string text;   ///< what was wrong: "bare NaN", "ends in the midst of an event"
  int64_t amount = 0;
};

/// One file.
struct Input {
  std::filesystem::path path;
  std::string format;              ///< what its content says that it is
  std::vector<InputCount> counts;  ///< by names that each format documents in REPORT.md
  std::vector<InputLoss> losses;
};

/// Which part of what the files hold becomes the run.
struct RunFilter {
  std::optional<int64_t> rank;  ///< only processes of that rank
  std::string frame;            ///< only the frames of that name or number; empty: all
  int64_t sinceNs = 0;          ///< only what starts so long after the first event, or later

  bool isEmpty() const { return !rank && frame.empty() && sinceNs == 0; }
};

/// How loading a run is watched, stopped and bounded.
struct LoadOptions {
  /// Called on the loading thread now and then, with how many bytes of how many are read.
  std::function<void(uint64_t doneBytes, uint64_t allBytes)> progress;
  /// Loading ends with an error soon after a stop is requested.
  std::stop_token stop;
  /// No file is unpacked to more than this; 0: to as much as a trace can be expected to pack.
  uint64_t mostUnpackedBytes = 0;
  RunFilter filter;
};

}  // namespace jitscope::analyzer
