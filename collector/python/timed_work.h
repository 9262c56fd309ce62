#pragma once

#include "collector/python/wrapped_callable.h"
#include "trace/sink.h"

namespace jitscope::collector {

/// Writes a RegionRow for each call of a compiled graph, and a GraphBreakRow for the time since the
/// graph before it when it goes on after a break.
class RegionTimer final : public Wrapping {
 public:
  /// The graph is that of `frame/attempt`, called `name`. `resumed` is the frame whose break it
  /// goes on after, kNone when it does not. `sink` must outlive the process.
  RegionTimer(trace::EventSink& sink, trace::FrameId frame, trace::AttemptId attempt,
              trace::FrameId resumed, trace::StringId name)
      : sink_(sink), frame_(frame), attempt_(attempt), resumed_(resumed), name_(name) {}

  PythonObject* call(const PythonApi& api, PythonObject* callable, PythonObject* arguments,
                     PythonObject* keywords) override;

 private:
  void writeBreak(int64_t startNs);

  bool hasRun_ = false;  ///< before, compiling it was part of the time since the graph before it
  trace::EventSink& sink_;
  trace::FrameId frame_;
  trace::AttemptId attempt_;
  trace::FrameId resumed_;
  trace::StringId name_;
};

/// Writes an OpRow for each call of a kernel.
class KernelTimer final : public Wrapping {
 public:
  KernelTimer(trace::EventSink& sink, trace::StringId name) : sink_(sink), name_(name) {}

  PythonObject* call(const PythonApi& api, PythonObject* callable, PythonObject* arguments,
                     PythonObject* keywords) override;

 private:
  trace::EventSink& sink_;
  trace::StringId name_;
};

/// Hands the arguments and the result of each call to the callable that is kept beside it, and
/// gives what that gives; the result as it was when that fails.
class Follower final : public Wrapping {
 public:
  explicit Follower(PythonObject* follower) : follower_(follower) {}

  PythonObject* call(const PythonApi& api, PythonObject* callable, PythonObject* arguments,
                     PythonObject* keywords) override;

 private:
  PythonObject* follower_;
};

}  // namespace jitscope::collector
