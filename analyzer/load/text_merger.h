#pragma once

#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analyzer/column_table.h"
#include "trace/reader.h"

namespace jitscope::analyzer {

/// Gives equal texts of several trace files one id.
class TextMerger {
 public:
  TextMerger() { idOf(std::string_view()); }

  /// Takes in all texts of `file`, whose memory must outlive the merged table.
  std::shared_ptr<const TextMap> add(const trace::TraceFile& file);

  /// The merged table: texts by their new ids.
  std::vector<std::string_view> take() { return std::move(texts_); }

 private:
  trace::StringId idOf(std::string_view text);

  std::unordered_map<std::string_view, trace::StringId> ids_;
  std::vector<std::string_view> texts_;
};

}  // namespace jitscope::analyzer
