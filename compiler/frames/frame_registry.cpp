#include "compiler/frames/frame_registry.h"

#include <atomic>
#include <mutex>
#include <set>

namespace jitscope::compiler {

namespace {

struct Registry {
  std::mutex mutex;
  std::set<Frame*> frames;
};

Registry& registry() {
  static auto* registry = new Registry;  // never destroyed: frames may be static objects
  return *registry;
}

}  // namespace

trace::FrameId nextFrameId() {
  static std::atomic<int64_t> next{0};
  return static_cast<trace::FrameId>(next.fetch_add(1));
}

void registerFrame(Frame* frame) {
  const std::lock_guard lock(registry().mutex);
  registry().frames.insert(frame);
}

void unregisterFrame(Frame* frame) {
  const std::lock_guard lock(registry().mutex);
  registry().frames.erase(frame);
}

void resetAllFrames() {
  const std::lock_guard lock(registry().mutex);
  for (Frame* frame : registry().frames) frame->reset();
}

}  // namespace jitscope::compiler
