#include "collector/cupti/activity_buffers.h"

#include <chrono>
#include <cstring>
#include <exception>

namespace jitscope::collector {

uint8_t* ActivityBuffers::handOut() noexcept {
  try {
    const std::lock_guard lock(mutex_);
    if (!free_.empty()) {
      uint8_t* bytes = free_.back();
      free_.pop_back();
      return bytes;
    }
    if (owned_.size() >= most_) return nullptr;
    owned_.push_back(std::make_unique<uint8_t[]>(kBufferBytes));
    free_.reserve(owned_.size());  // so that `recycle` finds its place
    return owned_.back().get();
  } catch (const std::exception&) {
    return nullptr;
  }
}

void ActivityBuffers::takeBack(uint8_t* bytes, size_t sizeBytes) noexcept {
  if (!bytes) return;
  try {
    const std::lock_guard lock(mutex_);
    filled_.push_back({bytes, sizeBytes});
  } catch (const std::exception&) {
    return;  // no memory: these records are lost, and the buffer with them
  }
  changed_.notify_all();
}

std::optional<FilledBuffer> ActivityBuffers::next(int patienceMs) noexcept {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::milliseconds(patienceMs),
                    [&] { return !filled_.empty() || isWoken_; });
  isWoken_ = false;
  if (filled_.empty()) return std::nullopt;
  const FilledBuffer buffer = filled_.front();
  filled_.pop_front();
  ++inWork_;
  return buffer;
}

void ActivityBuffers::recycle(FilledBuffer buffer) noexcept {
  // Here and not in `handOut`, which runs on the program's threads.
  std::memset(buffer.bytes, 0, buffer.sizeBytes);
  {
    const std::lock_guard lock(mutex_);
    free_.push_back(buffer.bytes);
    --inWork_;
  }
  changed_.notify_all();
}

void ActivityBuffers::wake() noexcept {
  {
    const std::lock_guard lock(mutex_);
    isWoken_ = true;
  }
  changed_.notify_all();
}

bool ActivityBuffers::waitUntilIdle(int patienceMs) noexcept {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::milliseconds(patienceMs),
                           [&] { return filled_.empty() && inWork_ == 0; });
}

}  // namespace jitscope::collector
