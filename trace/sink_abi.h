#pragma once

#include <stdint.h>

/// \file
/// How a program (the compiler's library, or any other) finds the sink of a collector that was
/// loaded into the same process: `dlsym(RTLD_DEFAULT, "jitscope_sink_v1")`, a function of type
/// `JitscopeSinkGetter`. It gives null when nothing is being recorded. The struct stays valid until
/// the process ends; after the recording has ended its calls do nothing. Plain C, so that both
/// sides may be built by different compilers. A change that is not an addition at the end gets a
/// new symbol name.
extern "C" {

struct JitscopeSink {
  uint32_t version;  ///< 1
  void* context;     ///< first argument of each call
  uint64_t (*intern)(void* context, const char* data, uint64_t size);  ///< EventSink::intern
  void (*write)(void* context, uint32_t table, const int64_t* cells,
                uint32_t count);  ///< EventSink::write
};

// NOLINTNEXTLINE(modernize-use-using): C reads this too.
typedef const JitscopeSink* (*JitscopeSinkGetter)(void);
}

#define JITSCOPE_SINK_SYMBOL "jitscope_sink_v1"
