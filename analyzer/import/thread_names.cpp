#include "analyzer/import/thread_names.h"

namespace jitscope::analyzer {

int64_t ThreadNames::numberOf(const JsonScalar& id) {
  if (const std::optional<int64_t> number = toInteger(id.text)) return *number;
  const auto known = textual_.find(id.text);
  if (known != textual_.end()) return known->second;
  const int64_t number = -static_cast<int64_t>(textual_.size()) - 1;
  textual_.emplace(id.text, number);
  if (id.isString) names_.try_emplace(number, id.text);
  return number;
}

void ThreadNames::name(const JsonScalar& id, std::string_view name) {
  names_.insert_or_assign(numberOf(id), std::string(name));
}

void ThreadNames::write(trace::MemoryTrace& trace) const {
  for (const auto& [number, name] : names_) {
    emit(trace, trace::ThreadRow{.thread = number, .name = trace.intern(name)});
  }
}

}  // namespace jitscope::analyzer
