#include "collector/inject/dictionary.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace jitscope::collector {

std::atomic<Dictionary::Text*>* Dictionary::slot(uint32_t id) noexcept {
  if (id / kChunkTexts >= kChunks) return nullptr;
  std::atomic<Chunk*>& place = chunks_[id / kChunkTexts];
  Chunk* chunk = place.load(std::memory_order_acquire);
  if (!chunk) {
    auto* fresh = static_cast<Chunk*>(std::calloc(1, sizeof(Chunk)));
    if (!fresh) return nullptr;
    if (place.compare_exchange_strong(chunk, fresh, std::memory_order_acq_rel)) {
      chunk = fresh;
    } else {
      std::free(fresh);
    }
  }
  return &(*chunk)[id % kChunkTexts];
}

void Dictionary::remember(trace::StringId id, std::string_view text) noexcept {
  const auto number = static_cast<uint32_t>(id);
  std::atomic<Text*>* place = number ? slot(number) : nullptr;
  if (!place || place->load(std::memory_order_relaxed)) return;
  uint32_t last = lastId_.load(std::memory_order_relaxed);
  while (last < number && !lastId_.compare_exchange_weak(last, number, std::memory_order_release)) {
  }
  const size_t sizeBytes = offsetof(Text, bytes) + text.size() + 1;
  if (text.size() > kLongestBytes || keptBytes_.load() + sizeBytes > mostBytes_.load()) return;
  keptBytes_.fetch_add(sizeBytes, std::memory_order_relaxed);
  auto* copy = static_cast<Text*>(std::malloc(sizeBytes));
  if (!copy) return;
  copy->sizeBytes = static_cast<uint32_t>(text.size());
  std::memcpy(copy->bytes, text.data(), text.size());
  Text* none = nullptr;
  if (!place->compare_exchange_strong(none, copy, std::memory_order_release)) std::free(copy);
}

const Dictionary::Text* Dictionary::find(uint32_t id) const noexcept {
  if (id / kChunkTexts >= kChunks) return nullptr;
  const Chunk* chunk = chunks_[id / kChunkTexts].load(std::memory_order_acquire);
  return chunk ? (*chunk)[id % kChunkTexts].load(std::memory_order_acquire) : nullptr;
}

std::string_view Dictionary::text(trace::StringId id) const noexcept {
  const Text* text = find(static_cast<uint32_t>(id));
  return text ? std::string_view(text->bytes, text->sizeBytes) : std::string_view();
}

void Dictionary::teach(trace::FileWriter& writer) const noexcept {
  const uint32_t last = lastId_.load(std::memory_order_acquire);
  for (uint32_t id = 1; id <= last; ++id) {
    const Text* text = find(id);
    // Not kept, or about to be when the process forked. Text that equals nothing else keeps the
    // later ids in step.
    char lost[48];
    const int size = std::snprintf(lost, sizeof lost, "[text %u, lost in a fork]", id);
    const std::string_view words = text ? std::string_view(text->bytes, text->sizeBytes)
                                        : std::string_view(lost, static_cast<size_t>(size));
    if (writer.intern(words) != trace::StringId{}) continue;
    writer.flush();  // too many texts wait for the disk
    writer.intern(words);
  }
}

}  // namespace jitscope::collector
