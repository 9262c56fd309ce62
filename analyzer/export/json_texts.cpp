#include "analyzer/export/json_texts.h"

#include <nlohmann/json.hpp>

namespace jitscope::analyzer {

std::string jsonString(std::string_view text) {
  constexpr int kNoIndent = -1;
  return nlohmann::json(text).dump(kNoIndent, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace jitscope::analyzer
