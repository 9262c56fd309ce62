#pragma once

#include <algorithm>
#include <cstdint>

/// \file
/// Which times of a recording are believed. A damaged or hostile file may say anything; what passes
/// here can be subtracted without overflow; sum.h adds it up.
namespace jitscope::analyzer {

inline constexpr int64_t kLatestNs = 7'000'000'000'000'000'000;       // the year 2191
inline constexpr int64_t kLongestNs = 30LL * 86'400 * 1'000'000'000;  // 30 days

inline bool isValidTime(int64_t timeNs) { return timeNs >= 0 && timeNs <= kLatestNs; }

inline bool isValidSpan(int64_t startNs, int64_t endNs) {
  return isValidTime(startNs) && endNs >= startNs && endNs <= kLatestNs &&
         endNs - startNs <= kLongestNs;
}

/// A duration or count as it is believed.
inline int64_t tamed(int64_t amount) { return std::clamp<int64_t>(amount, 0, kLongestNs); }

}  // namespace jitscope::analyzer
