// The face of libjitscope_python.so: what the package jitscope_hook calls through ctypes, always
// with the interpreter's lock held. Nothing throws; after the recording has ended the calls do
// nothing.
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "collector/python/timed_work.h"
#include "trace/schema.h"
#include "trace/sink_client.h"

namespace {

namespace collector = jitscope::collector;
namespace trace = jitscope::trace;

trace::EventSink* sink = nullptr;

template <class Row>
void describeTable(std::string& text) {
  text += "table " + std::to_string(static_cast<uint32_t>(Row::kTable)) + ' ' + Row::kName + '\n';
  const Row defaults{};
  Row::columns([&](const char* name, auto member) {
    using Field = std::remove_cvref_t<decltype(defaults.*member)>;
    const bool isText = std::is_same_v<Field, trace::StringId>;
    text += std::string(isText ? "text " : "number ") + name + ' ' +
            std::to_string(trace::toCell(defaults.*member)) + '\n';
  });
}

// Null, which ctypes turns into an error, where callables cannot be wrapped.
PythonObject* wrapped(PythonObject* callable, PythonObject* kept, collector::Wrapping* wrapping) {
  std::unique_ptr<collector::Wrapping> owned(wrapping);
  const collector::PythonApi* api = collector::pythonApi();
  return api && owned ? wrapCallable(*api, callable, kept, std::move(owned)) : nullptr;
}

}  // namespace

#define JITSCOPE_EXPORTED extern "C" __attribute__((visibility("default")))

/// Whether this process is being recorded. To be called once, before the others.
JITSCOPE_EXPORTED int jitscope_python_connect() {
  try {
    if (!sink)
      sink = trace::connectToCollector().release();  // rows may come until the process ends
    return sink != nullptr;
  } catch (const std::exception&) {
    return 0;
  }
}

/// The tables of the trace: lines `table ID NAME`, each followed by its columns in order,
/// `number|text NAME DEFAULT`. Null without memory.
JITSCOPE_EXPORTED const char* jitscope_python_tables() {
  try {
    static const std::string text = [] {
      std::string lines;
      trace::forEachTable([&]<class Row>() { describeTable<Row>(lines); });
      return lines;
    }();
    return text.c_str();
  } catch (const std::exception&) {
    return nullptr;
  }
}

/// The id of a text.
JITSCOPE_EXPORTED uint64_t jitscope_python_intern(const char* text, uint64_t sizeBytes) {
  return static_cast<uint64_t>(sink->intern({text, sizeBytes}));
}

/// Writes one row.
JITSCOPE_EXPORTED void jitscope_python_write(uint32_t table, const int64_t* cells, uint32_t count) {
  sink->write(static_cast<trace::TableId>(table), {cells, count});
}

/// `callable` with each call written as a region; see RegionTimer.
JITSCOPE_EXPORTED PythonObject* jitscope_python_time_region(PythonObject* callable, int64_t frame,
                                                            int64_t attempt, int64_t resumed,
                                                            uint64_t name) {
  return wrapped(callable, callable,
                 new (std::nothrow) collector::RegionTimer(
                     *sink, trace::FrameId{frame}, trace::AttemptId{attempt},
                     trace::FrameId{resumed}, static_cast<trace::StringId>(name)));
}

/// `callable` with each call written as an operator; see KernelTimer.
JITSCOPE_EXPORTED PythonObject* jitscope_python_time_kernel(PythonObject* callable, uint64_t name) {
  return wrapped(callable, callable,
                 new (std::nothrow)
                     collector::KernelTimer(*sink, static_cast<trace::StringId>(name)));
}

/// `callable` with `follower(arguments, result)` after each call; see Follower.
JITSCOPE_EXPORTED PythonObject* jitscope_python_follow(PythonObject* callable,
                                                       PythonObject* follower) {
  return wrapped(callable, follower, new (std::nothrow) collector::Follower(follower));
}
