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
  /// Appends the leaves of a snapshot of the value; `keep` keeps the snapshot alive.
  virtual void flatten(Leaves& leaves, std::vector<std::shared_ptr<const void>>& keep) const = 0;
  virtual void name(std::vector<std::string>& names) const = 0;
};

/// Tells the capture that runs on this thread, if any, that user code reads `cell`.
void noteGuardedRead(const std::shared_ptr<const GuardedCell>& cell);

}  // namespace compiler

/// A captured value that may change between calls of a compiled function. Reading it inside of the
/// function installs a guard: another value is another entry, and a tensor in it is an input of the
/// graph. Copies share the value. Safe to use from several threads.
template <class T>
class Guarded {
  static_assert(compiler::ArgumentTraits<T>::kIsSupported,
                "Guarded holds what a compiled function takes as an argument");

 public:
  explicit Guarded(T value, std::string name = "guarded")
      : cell_(std::make_shared<Cell>(std::move(value), std::move(name))) {}

  T get() const {
    compiler::noteGuardedRead(cell_);
    return *cell_->snapshot();
  }
  operator T() const { return get(); }  // NOLINT(google-explicit-constructor)

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
    void flatten(compiler::Leaves& leaves,
                 std::vector<std::shared_ptr<const void>>& keep) const override {
      auto value = snapshot();
      compiler::ArgumentTraits<T>::flatten(*value, leaves);
      keep.push_back(std::move(value));
    }
    void name(std::vector<std::string>& names) const override {
      compiler::ArgumentTraits<T>::name(*snapshot(), "G['" + name_ + "']", names);
    }

   private:
    mutable std::mutex mutex_;
    std::shared_ptr<const T> value_;
    std::string name_;
  };

  std::shared_ptr<Cell> cell_;
};

}  // namespace jitscope
