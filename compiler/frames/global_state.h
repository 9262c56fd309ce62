#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace jitscope::compiler {

/// What operators read beside their arguments, as Dynamo's GLOBAL_STATE guard. One snapshot belongs
/// to the thread that took it.
class GlobalState {
 public:
  /// The state of this thread and process now.
  static GlobalState current();

  bool operator==(const GlobalState&) const = default;

  /// The names of what differs: "grad_mode deterministic_algorithms".
  std::string difference(const GlobalState& other) const;

  /// "{grad_mode: 1, …}" for guard listings.
  std::string text() const;

 private:
  enum Field : size_t {
    kGradMode,
    kInferenceMode,
    kForwardGradMode,
    kAutocast,
    kAutocastDtype,
    kDeterministicAlgorithms,
    kFloat32Precision,
    kReducedPrecision,
    kDefaultDtype,
    kNumThreads,
    kDispatchKeys,
    kSavedTensorHooks,
    kFieldCount,
  };
  static const char* nameOf(size_t field);

  std::array<uint64_t, kFieldCount> fields_{};
};

}  // namespace jitscope::compiler
