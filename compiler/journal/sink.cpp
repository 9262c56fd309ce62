#include "compiler/journal/sink.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "compiler/journal/log_lines.h"
#include "compiler/journal/process.h"
#include "trace/sink_client.h"
#include "trace/trace_path.h"
#include "trace/writer.h"

namespace jitscope::compiler {
namespace {

trace::FileWriter* ownFile = nullptr;

/// Threads may still write while the process ends: the writer is closed and never destroyed.
void closeOwnFile() { ownFile->close(); }

JournalSink openFile(const char* path) {
  auto created = trace::FileWriter::create(trace::tracePathFor(path));
  if (!created) {
    warnUser(fmt::format("JITSCOPE_TRACE: {}; nothing is recorded", created.error().text));
    return {};
  }
  ownFile = created->release();
  std::atexit(closeOwnFile);
  describeProcess(*ownFile);
  return {ownFile, true};
}

}  // namespace

JournalSink openSink() {
  if (auto collector = trace::connectToCollector()) return {collector.release(), false};
  const char* path = std::getenv("JITSCOPE_TRACE");
  return path && *path ? openFile(path) : JournalSink{};
}

}  // namespace jitscope::compiler
