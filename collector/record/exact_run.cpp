#include "collector/record/exact_run.h"

#include <fmt/format.h>
#include <signal.h>

#include <system_error>

#include "collector/record/child.h"
#include "collector/record/exact_bytes.h"
#include "collector/record/preload.h"
#include "collector/record/running.h"
#include "collector/record/say.h"
#include "trace/result.h"

namespace jitscope::collector {
namespace {

/// The signal that an exit status tells of; 0 for none. Programs end with 255 and the like too.
int signalOf(int status) {
  constexpr int kFirst = 128;
  return status > kFirst && status <= kFirst + SIGRTMAX ? status - kFirst : 0;
}

std::string endingOf(int status, int firstStatus) {
  if (status == firstStatus) return {};
  if (const int signal = signalOf(status); signal > 0)
    return fmt::format("signal {} ended the program when it ran again", signal);
  return fmt::format("the program ended with {} when it ran again, before with {}", status,
                     firstStatus);
}

/// Why the program is not run again; empty when it is.
std::string whyNotAgain(const Output& output, int status) {
  if (const int signal = signalOf(status); signal > 0)
    return fmt::format("signal {} ended the program, which was not run again for that", signal);
  return runningProcesses(output.path()) > 0 ? "a process of the program still runs" : "";
}

}  // namespace

void countExactly(const RecordArguments& arguments, const std::string& program,
                  const Output& output, int status) {
  if (kernelCount(output.path()) == 0) {
    return say("no kernels were recorded, so the program is not run again to count their bytes");
  }
  if (const std::string why = whyNotAgain(output, status); !why.empty())
    return tellNoExactBytes(output.path(), why);
  std::filesystem::path place = output.path();
  place += ".exact";
  const auto again = Output::create(place);
  if (!again) return tellNoExactBytes(output.path(), again.error().text);
  say("running the program again to count the bytes of its kernels");
  RecordArguments counting = arguments;
  counting.traffic = "exact";
  const Child child = startChild(program, arguments.command,
                                 preloadChanges(again->path(), counting, ""), ChildStreams::kNone);
  const int ended = child.startError ? statusOfStartError(child.startError) : waitForChild(child);
  addExactBytes(output.path(), {again->path(), endingOf(ended, status)});
  std::error_code ignored;
  std::filesystem::remove_all(again->path(), ignored);
}

}  // namespace jitscope::collector
