#include "analyzer/load/text_merger.h"

namespace jitscope::analyzer {

std::shared_ptr<const TextMap> TextMerger::add(const trace::TraceFile& file) {
  auto map = std::make_shared<TextMap>();
  map->reserve(file.stringCount());
  for (size_t id = 0; id < file.stringCount(); ++id) {
    map->push_back(idOf(file.text(static_cast<trace::StringId>(id))));
  }
  return map;
}

trace::StringId TextMerger::idOf(std::string_view text) {
  const auto next = static_cast<trace::StringId>(texts_.size());
  const auto [entry, isNew] = ids_.try_emplace(text, next);
  if (isNew) texts_.push_back(text);
  return entry->second;
}

}  // namespace jitscope::analyzer
