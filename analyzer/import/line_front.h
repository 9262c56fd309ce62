#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace jitscope::analyzer {

/// What launchers and log collectors write in front of each line of a program, taken off.
struct LineFront {
  int64_t rank = -1;    ///< of the process that wrote the line; -1 when the front names none
  bool isPart = false;  ///< the collector has cut the line: it goes on in a later one
  /// Tells apart where lines come from (ranks, containers, standard output and errors), as it
  /// stands in front of the collector's mark of whole and cut lines; without one, in front of the
  /// text.
  uint64_t origin = 0;
  std::string_view line;  ///< what was cut: all behind the collector's mark; without one, all
  std::string_view text;  ///< all behind the fronts; views into the line, as `line` does
};

/// Takes the fronts off `line`, as many as there are: the times of Kubernetes, journald, syslog and
/// Docker with their streams, units and containers; the ranks of torchrun, mpirun, srun and Ray;
/// and level and logger of Python's own logging. Indentation behind them stays.
LineFront takeLineFront(std::string_view line);

/// The program's line in one that a collector wrote as a JSON object (Docker's files, journalctl
/// -o json, cloud logs), as takeLineFront gives it. `scratch` holds the text then. Any other line
/// comes back as it is.
LineFront takeLogObject(std::string_view line, std::string& scratch);

}  // namespace jitscope::analyzer
