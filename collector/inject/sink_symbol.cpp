#include "collector/inject/sink_symbol.h"

#include "collector/inject/session.h"
#include "trace/sink_client.h"

const JitscopeSink* jitscope_sink_v1() {
  static const JitscopeSink offered = jitscope::trace::offerSink(jitscope::collector::session());
  return jitscope::collector::isRecording() ? &offered : nullptr;
}
