#pragma once

#include <c10/util/ArrayRef.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jitscope::compiler {

/// What one frame has seen of its arguments' sizes and integers, by source: automatic dynamic
/// shapes. The first sight of a source is static; a dimension or integer that comes with another
/// value is dynamic from then on. Another rank forgets what was known of the tensor. Not
/// thread-safe.
class SizeHistory {
 public:
  /// Takes note of a tensor's sizes; gives which dimensions are dynamic from now on.
  std::vector<bool> observe(const std::string& source, c10::IntArrayRef sizes);

  /// Takes note of an integer; gives whether it is dynamic from now on.
  bool observeInteger(const std::string& source, int64_t value);

  /// Keeps the dimension (or the integer, with dimension 0) static in the future: it was tried and
  /// the code could not be explained.
  void pin(const std::string& source, size_t dimension);

 private:
  struct Dimension {
    int64_t value = 0;
    bool isDynamic = false;
    bool isPinned = false;
  };
  static bool note(Dimension& known, int64_t value);

  std::map<std::string, std::vector<Dimension>> known_;
};

}  // namespace jitscope::compiler
