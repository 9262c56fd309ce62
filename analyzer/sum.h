#pragma once

#include <algorithm>
#include <cstdint>

/// \file
/// Arithmetic on amounts that a file tells: nanoseconds, bytes, counts. Each may be believable by
/// itself, and a thousand of them still not fit into 64 bits.
namespace jitscope::analyzer {

/// Where sums and products stop: 126 years, 4 EB. Two of them can still be added.
inline constexpr int64_t kLargestSum = 4'000'000'000'000'000'000;

/// An amount as it may be summed: what is below 0 is none.
constexpr int64_t summable(int64_t amount) { return std::clamp<int64_t>(amount, 0, kLargestSum); }

/// `a + b`, at most kLargestSum.
constexpr int64_t sumOf(int64_t a, int64_t b) {
  return std::min(summable(a) + summable(b), kLargestSum);
}

/// `each` taken `count` times, at most kLargestSum.
constexpr int64_t productOf(int64_t each, int64_t count) {
  if (each <= 0 || count <= 0) return 0;
  return each >= kLargestSum / count ? kLargestSum : each * count;
}

/// A number as an amount, rounded down; 0 for what is none.
constexpr int64_t amountOf(double number) {
  if (!(number > 0)) return 0;  // nor what is no number
  return number >= static_cast<double>(kLargestSum) ? kLargestSum : static_cast<int64_t>(number);
}

/// How many hundredths of `whole` a part of it is, rounded down; 0 of nothing.
constexpr int64_t percentOf(int64_t part, int64_t whole) {
  constexpr double kPercent = 100;
  return amountOf(kPercent * static_cast<double>(part) /
                  static_cast<double>(std::max<int64_t>(1, whole)));
}

/// A sum of amounts, at most kLargestSum. Reads as a number.
class Sum {
 public:
  constexpr Sum() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): any amount is a sum of one
  constexpr Sum(int64_t amount) : amount_(summable(amount)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): only adding needs care
  constexpr operator int64_t() const { return amount_; }

  constexpr Sum& operator+=(int64_t amount) {
    amount_ = sumOf(amount_, amount);
    return *this;
  }
  constexpr Sum& operator++() { return *this += 1; }

 private:
  int64_t amount_ = 0;
};

/// How nlohmann's JSON takes a sum.
template <class Json>
// NOLINTNEXTLINE(readability-identifier-naming): that library looks for the name
void to_json(Json& json, const Sum& sum) {
  json = static_cast<int64_t>(sum);
}

}  // namespace jitscope::analyzer
