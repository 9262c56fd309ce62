#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

namespace jitscope::compiler {

/// Gives the values of one graph unique names as FX does: the wanted one, with `_1`, `_2`, … when
/// it is taken or means something else in Python.
class GraphNames {
 public:
  std::string take(std::string wanted);

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> lastSuffix_;
};

}  // namespace jitscope::compiler
