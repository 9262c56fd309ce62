#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace jitscope::analyzer {

/// A function and where it is defined.
struct FunctionPlace {
  std::string name, file;
  int64_t line = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): taken for a comparison of pointers
  auto operator<=>(const FunctionPlace&) const = default;
};

/// The frames of one process: their numbers, and what their functions are called.
class FrameNumbers {
 public:
  /// Says that a frame of that number exists.
  void add(int64_t number) { functions_[number]; }

  /// Says what a frame is called. What is told first stays unless `isSure`.
  void name(int64_t number, const FunctionPlace& function, bool isSure);

  /// The number of a frame that the log tells by its function alone: that of the frame of the same
  /// function, or a new one behind all others. Only right when all numbered frames are known.
  int64_t numberOf(const FunctionPlace& function);

  const std::map<int64_t, FunctionPlace>& functions() const { return functions_; }

 private:
  std::map<int64_t, FunctionPlace> functions_;
  std::map<FunctionPlace, int64_t> found_;  ///< what numberOf has answered
};

}  // namespace jitscope::analyzer
