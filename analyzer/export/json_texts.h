#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// `text` as a JSON string with its quotes; bytes that are no UTF-8 become U+FFFD.
std::string jsonString(std::string_view text);

/// The texts of a run as JSON strings; each is made once.
class JsonTexts {
 public:
  /// `run` must outlive this.
  explicit JsonTexts(const Run& run) : run_(run) {}

  const std::string& of(trace::StringId id) {
    const auto [known, isNew] = known_.try_emplace(id);
    if (isNew) known->second = jsonString(run_.text(id));
    return known->second;
  }

 private:
  const Run& run_;
  std::unordered_map<trace::StringId, std::string> known_;
};

}  // namespace jitscope::analyzer
