#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace jitscope::compiler {

/// Hands out FX's names: `sum_1`, since `sum` is Python's, then `sum_2`.
class ValueNames {
 public:
  /// A name that was not given before, made from `wanted`.
  std::string unique(std::string_view wanted);

  /// Marks a name as given.
  void reserve(std::string_view name) { given_.emplace(name); }

 private:
  std::unordered_set<std::string> given_;
  std::unordered_map<std::string, int64_t> lastNumber_;  ///< by the name that was wanted
};

}  // namespace jitscope::compiler
