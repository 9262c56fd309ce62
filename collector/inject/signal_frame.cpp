#include "collector/inject/signal_frame.h"

#include <unwind.h>

namespace jitscope::collector {
namespace {

struct Search {
  int framesLeft = 4096;
  bool found = false;
};

_Unwind_Reason_Code lookAt(_Unwind_Context* frame, void* argument) {
  auto& search = *static_cast<Search*>(argument);
  int wasInterrupted = 0;  // rather than having called what stands above it
  _Unwind_GetIPInfo(frame, &wasInterrupted);
  search.found = wasInterrupted != 0;
  return search.found || --search.framesLeft == 0 ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

}  // namespace

bool isInsideSignalHandler() noexcept {
  Search search;
  _Unwind_Backtrace(lookAt, &search);
  return search.found;
}

}  // namespace jitscope::collector
