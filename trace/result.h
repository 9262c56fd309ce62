#pragma once

#include <string>
#include <utility>
#include <variant>

namespace jitscope::trace {

/// What went wrong, in words for a person: what, where, and what to do. Lower case, no full stop.
struct [[nodiscard]] Error {
  std::string text;

  /// Puts the outer step in front: `Error{"bad checksum"}.within("chunk 7")` is "chunk 7: bad
  /// checksum".
  Error within(const std::string& outer) const { return Error{outer + ": " + text}; }
};

/// A value or the Error that prevented it. Reads like std::expected: `if (!r)`, `*r`, `r->`,
/// `r.error()`. Access to the absent alternative throws std::bad_variant_access (a bug of the
/// caller).
template <class T>
class [[nodiscard]] Result {
 public:
  // Both implicit, so that a function returns its value or its error as it is.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() { return std::get<0>(state_); }
  const T& operator*() const { return std::get<0>(state_); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

/// Success, or the Error that prevented it.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(Error error) : error_(std::move(error)), failed_(true) {}

  explicit operator bool() const { return !failed_; }
  const Error& error() const { return error_; }

 private:
  Error error_;
  bool failed_ = false;
};

}  // namespace jitscope::trace
