#include "compiler/journal/sink.h"

#include <memory>

#include "trace/sink_client.h"

namespace jitscope::compiler {

JournalSink openSink() {
  if (auto collector = trace::connectToCollector()) return {collector.release(), false};
  return {};
}

}  // namespace jitscope::compiler
