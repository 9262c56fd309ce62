#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "compiler/arguments.h"

namespace jitscope {

namespace compiler {

/// A value that user code may read and that is guarded where it does.
class GuardedCell {
 public:
  virtual ~GuardedCell() = default;
  /// The value as it is now. Never changes; another one takes its place.
  virtual std::shared_ptr<const void> read() const = 0;
  /// Appends the leaves of what `read` gave; they are valid as long as it is kept.
  virtual void flatten(const void* value, Leaves& leaves) const = 0;
  /// Appends one source per leaf, in the order of `flatten`.
  virtual void name(const void* value, std::vector<std::string>& names) const = 0;
};

/// Tells the capture that runs on this thread, if any, that user code has read `value` from `cell`.
void noteGuardedRead(const std::shared_ptr<const GuardedCell>& cell,
                     const std::shared_ptr<const void>& value);

}  // namespace compiler

/// A captured value that may change between calls of a compiled function. Reading it inside of the
/// function installs a guard: another value is another entry, and a tensor in it is an input of the
/// graph. Copies share the value. Safe to use from several threads.
template <class T>
class Guarded {
  static_assert(compiler::ArgumentTraits<T>::kIsSupported,
                "Guarded holds what a compiled function takes as an argument");

 public:
  /// `name` is what guards and reports call it: G['name'].
  explicit Guarded(T value, std::string name = "guarded")
      : cell_(std::make_shared<Cell>(std::move(value), std::move(name))) {}

  /// The value now; guarded when a compiled function reads it.
  T get() const {
    const std::shared_ptr<const T> value = cell_->snapshot();
    compiler::noteGuardedRead(cell_, value);
    return *value;
  }
  operator T() const { return get(); }  // NOLINT(google-explicit-constructor)

  /// Gives it another value, for reads from now on.
  void set(T value) { cell_->replace(std::move(value)); }

 private:
  class Cell final : public compiler::GuardedCell {
   public:
    Cell(T value, std::string name)
        : value_(std::make_shared<const T>(std::move(value))), name_(std::move(name)) {}

    std::shared_ptr<const T> snapshot() const {
      const std::lock_guard lock(mutex_);
      return value_;
    }
    void replace(T value) {
      auto fresh = std::make_shared<const T>(std::move(value));
      const std::lock_guard lock(mutex_);
      value_.swap(fresh);
    }
    std::shared_ptr<const void> read() const override { return snapshot(); }
    void flatten(const void* value, compiler::Leaves& leaves) const override {
      compiler::ArgumentTraits<T>::flatten(*static_cast<const T*>(value), leaves);
    }
    void name(const void* value, std::vector<std::string>& names) const override {
      compiler::ArgumentTraits<T>::name(*static_cast<const T*>(value), "G['" + name_ + "']", names);
    }

   private:
    mutable std::mutex mutex_;
    std::shared_ptr<const T> value_;
    std::string name_;
  };

  std::shared_ptr<Cell> cell_;
};

}  // namespace jitscope
