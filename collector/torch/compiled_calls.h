#pragma once

#include <cstdint>
#include <optional>

#include "trace/sink.h"

namespace jitscope::collector {

/// What a range of LibTorch's recorder means to Python's torch.compile.
struct CompiledRange {
  enum class Kind {
    kLookup,    ///< among the entries of a frame
    kCode,      ///< the code that Dynamo made of a frame, with its graph and what is around it
    kForward,   ///< a graph that autograd knows as one function
    kBackward,  ///< the gradient of such a graph
  } kind = Kind::kLookup;
  int64_t frame = -1;  ///< as Dynamo numbers it
  trace::AttemptId attempt = trace::AttemptId::kNone;
};

/// Reads the name of a range: "TorchDynamo Cache Lookup", "Torch-Compiled Region: 0/1" (which is
/// kCode here), "CompiledFunction", "CompiledFunctionBackward". None for every other; cheap then.
std::optional<CompiledRange> compiledRangeOf(const char* name);

/// The calls of compiled callables on one thread, put together from what the recorder sees: a
/// lookup among the entries of a frame, then the code of the entry that serves. Only its own thread
/// uses it.
class CompiledCalls {
 public:
  /// A lookup ended. What follows decides how the call was served.
  void lookedUp(int64_t startNs, int64_t endNs, int64_t thread, trace::EventSink& sink);

  /// The call around the one that begins.
  struct Begun {
    int64_t startNs = 0, guardNs = 0;
    CompiledRange around;
  };
  /// Compiled code begins. Gives what `codeEnded` needs.
  Begun codeBegun(const CompiledRange& code, int64_t startNs);

  /// Compiled code ended: writes its call. Gives false when nobody has told of the entry.
  bool codeEnded(const CompiledRange& code, const Begun& begun, int64_t endNs, int64_t thread,
                 trace::EventSink& sink);

  /// A graph begins whose gradient will have the same sequence number.
  void forwardBegun(int64_t sequence, int64_t thread) const;

  /// An operator begins: after a lookup with no code, it is user code that runs eagerly.
  void operatorBegun(int64_t thread, trace::EventSink& sink) {
    if (lookupEndNs_ != 0 && !isCompiling) writeEagerCall(thread, sink);
  }

  /// Forgets the last lookup: the call that it was for is not one of a compiled callable.
  void forgetLookup() { lookupEndNs_ = 0; }

  bool isCompiling = false;  ///< a compilation runs, with operators of its own

 private:
  void writeEagerCall(int64_t thread, trace::EventSink& sink);

  int64_t lookupStartNs_ = 0, lookupEndNs_ = 0;  ///< 0 when no lookup is open to be explained
  CompiledRange running_;                        ///< the innermost code that runs
};

/// Writes the region of a graph's gradient, which ran as this operator. Any thread.
void writeBackwardRegion(const trace::OpRow& backward, trace::EventSink& sink);

/// Told by the package jitscope_hook. Any thread.
/// The next run of the code of Dynamo's entry is the call that compiled it; `frame` is its frame
/// here.
void expectEntry(int64_t dynamoFrame, trace::AttemptId attempt, trace::FrameId frame);
/// Calls that no entry of `frame` serves run eagerly from now on.
void limitFrame(trace::FrameId frame);

}  // namespace jitscope::collector
