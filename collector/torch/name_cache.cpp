#include "collector/torch/name_cache.h"

#include <cstring>

namespace jitscope::collector {

trace::StringId NameCache::intern(const char* name, trace::EventSink& sink) {
  const auto address = reinterpret_cast<uintptr_t>(name);
  Entry& entry = entries_[((address >> 4) ^ (address >> 13)) % entries_.size()];
  if (entry.address == name && std::strcmp(entry.text.get(), name) == 0) return entry.id;
  entry.address = nullptr;
  const size_t size = std::strlen(name);
  entry.text = std::make_unique<char[]>(size + 1);
  std::memcpy(entry.text.get(), name, size + 1);
  entry.id = sink.intern({name, size});
  if (entry.id != trace::StringId{}) entry.address = name;
  return entry.id;
}

}  // namespace jitscope::collector
