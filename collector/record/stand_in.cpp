#include "collector/record/stand_in.h"

#include <unistd.h>

#include "collector/environment.h"
#include "trace/clock.h"
#include "trace/writer.h"

namespace jitscope::collector {

trace::Result<void> writeStandIn(const Output& output, const UnrecordedProgram& program) {
  const std::filesystem::path path =
      output.path() / (std::filesystem::path(program.executable).filename().string() + '-' +
                       std::to_string(program.pid) + kTraceSuffix);
  auto writer = trace::FileWriter::create(path);
  if (!writer) return writer.error();
  trace::FileWriter& sink = **writer;
  std::string commandLine;
  for (const std::string& word : program.command) {
    commandLine += (commandLine.empty() ? "" : " ") + word;
  }
  trace::emit(sink, trace::ProcessRow{.pid = program.pid,
                                      .parentPid = getpid(),
                                      .startNs = program.startNs,
                                      .commandLine = sink.intern(commandLine),
                                      .executable = sink.intern(program.executable),
                                      .jitscopeVersion = sink.intern(JITSCOPE_VERSION)});
  const std::string reason = program.reason.empty()
                                 ? "the program ended too early or in a signal's handler, could "
                                   "not write here, or threw its environment away"
                                 : program.reason;
  trace::emit(sink, trace::LossRow{.timeNs = trace::nowNs(),
                                   .kind = trace::LossKind::kDropped,
                                   .place = sink.intern("collector"),
                                   .text = sink.intern(reason)});
  const trace::WriterSummary summary = (*writer)->close();
  if (summary.lost > 0) {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return trace::Error{path.string() + ": cannot be written"};
  }
  return {};
}

}  // namespace jitscope::collector
