#pragma once

#include <ATen/core/ivalue.h>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "trace/sink.h"

namespace jitscope::collector {

/// The sizes of an operator's tensor inputs as one row of numbers, cheap to take and to compare.
/// Inputs that are no tensors are left out; what does not fit is cut off and marked.
// NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): numbers are written before they are read
class Shapes {
 public:
  static constexpr size_t kMaxNumbers = 64;

  /// Reads the sizes of `inputs`, and nothing else of a tensor: no code of a tensor subclass runs.
  void read(std::span<const c10::IValue> inputs);

  /// The numbers, for comparing: equal numbers are equal shapes.
  std::span<const int64_t> numbers() const { return {numbers_.data(), count_}; }

  /// As a person reads them: `[4, 16], [16], [[2, 3], [2, 3]]`; `...` where it was cut off.
  std::string text() const;

 private:
  void readValue(const c10::IValue& value);
  void readTensor(const at::Tensor& tensor);
  bool put(int64_t number);

  std::array<int64_t, kMaxNumbers> numbers_;
  size_t count_ = 0;
};

/// Gives the text of shapes that were seen lately without making the text again; one that the sink
/// could not take is given to it again. One thread.
class ShapeCache {
 public:
  trace::StringId intern(const Shapes& shapes, trace::EventSink& sink);

 private:
  struct Entry {
    std::unique_ptr<int64_t[]> numbers;
    size_t count = 0;
    trace::StringId text{};
  };
  std::array<Entry, 512> entries_;
};

}  // namespace jitscope::collector
