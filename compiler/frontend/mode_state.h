#pragma once

#include <c10/core/DeviceType.h>
#include <c10/core/ScalarType.h>

#include <array>
#include <cstdint>

namespace jitscope::compiler {

/// Autocast of one kind of device. The dtype only counts while it is enabled.
struct AutocastState {
  bool isEnabled = false;
  c10::ScalarType dataType = c10::ScalarType::Undefined;

  bool operator==(const AutocastState&) const = default;
};

/// The thread's modes that change what an operator does: gradient and inference mode, autocast, and
/// every other mode that lives in the thread's dispatch keys.
struct ModeState {
  static constexpr std::array kAutocastDevices{c10::DeviceType::CPU, c10::DeviceType::CUDA};

  uint64_t includedKeys = 0, excludedKeys = 0;
  bool isGradEnabled = true, isInferenceMode = false;
  std::array<AutocastState, kAutocastDevices.size()> autocast{};

  /// Of the calling thread, the capture key apart. Costs a few thread-local reads.
  static ModeState current();

  bool operator==(const ModeState&) const = default;
};

/// Gives the calling thread the modes of an earlier moment. To be used inside a QuietScope, whose
/// exclusion of the capture key it keeps.
class ModeScope {
 public:
  explicit ModeScope(const ModeState& modes);
  ~ModeScope();
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 private:
  static void apply(const ModeState& modes);
  ModeState saved_;
};

}  // namespace jitscope::compiler
