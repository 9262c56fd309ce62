#include "collector/inject/sink_symbol.h"

#include "collector/inject/session.h"
#include "trace/sink_client.h"

const JitscopeSink* jitscope_sink_v1() {
  using namespace jitscope::collector;
  static const JitscopeSink offered = jitscope::trace::offerSink(session());
  return isRecording() ? &offered : nullptr;
}
