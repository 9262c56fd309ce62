#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "trace/result.h"

namespace jitscope::collector {

/// What the launcher tells all processes of its recording at once, however many there are and
/// whatever they do with signals: a page of memory that they share, with the times at which a
/// signal came. A file, so that programs that are started later find it too.
class SharedSwitch {
 public:
  /// Where it stands in a recording's folder.
  static std::filesystem::path pathIn(const std::filesystem::path& folder);

  /// For the launcher: makes the file.
  static trace::Result<SharedSwitch*> create(const std::filesystem::path& path);

  /// For a recorded process; null when there is none. Stays mapped, in forked children too.
  static const SharedSwitch* open(const char* path) noexcept;

  /// Notes that the signal came.
  void flip(int64_t timeNs) noexcept;

  /// How often it came.
  uint64_t flips() const noexcept { return flips_.load(std::memory_order_acquire); }

  /// When it came for the `number`th time, from 0; of those long ago it is not known any more (0).
  int64_t timeOf(uint64_t number) const noexcept;

 private:
  static constexpr size_t kKept = 256;
  std::atomic<uint64_t> flips_;
  std::array<std::atomic<int64_t>, kKept> timesNs_;
};

}  // namespace jitscope::collector
