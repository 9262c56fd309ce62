#pragma once

#include <ATen/core/MT19937RNGEngine.h>

#include <optional>

namespace jitscope::compiler {

/// The state of the default CPU generator.
struct RandomState {
  at::mt19937 engine;
  std::optional<float> nextFloatNormal;
  std::optional<double> nextDoubleNormal;

  static RandomState current();
  void restore() const;
  bool isCurrent() const;
};

/// A short mark of the default CPU generator's state that differs after every draw.
struct RandomMark {
  uint64_t seed = 0;
  int left = 0;
  uint32_t next = 0, first = 0;
  bool hasFloatNormal = false, hasDoubleNormal = false;

  static RandomMark current();
  bool operator==(const RandomMark&) const = default;
};

}  // namespace jitscope::compiler
