#include "collector/torch/shapes.h"

#include <ATen/core/Tensor.h>

#include <algorithm>

namespace jitscope::collector {
namespace {

// What the numbers that are not sizes mean. A tensor is its rank, then its sizes.
constexpr int64_t kListBegins = -1;
constexpr int64_t kListEnds = -2;
constexpr int64_t kUndefined = -3;  // an absent tensor, or one whose sizes are no numbers
constexpr int64_t kCutOff = -4;

uint64_t hash(std::span<const int64_t> numbers) {
  uint64_t value = numbers.size();
  for (const int64_t number : numbers) {
    value = (value ^ static_cast<uint64_t>(number)) * 0x9E3779B97F4A7C15u;
    value ^= value >> 29;
  }
  return value;
}

}  // namespace

void Shapes::read(std::span<const c10::IValue> inputs) {
  count_ = 0;
  for (const c10::IValue& input : inputs) readValue(input);
}

void Shapes::readValue(const c10::IValue& value) {
  if (value.isTensor()) return readTensor(value.toTensor());
  if (!value.isTensorList() && !value.isOptionalTensorList()) return;
  put(kListBegins);
  for (const c10::IValue& element : value.toListRef()) {
    if (element.isTensor()) readTensor(element.toTensor());
  }
  put(kListEnds);
}

void Shapes::readTensor(const at::Tensor& tensor) {
  const c10::TensorImpl* implementation = tensor.unsafeGetTensorImpl();
  if (!tensor.defined() || implementation->has_symbolic_sizes_strides() ||
      implementation->key_set().has(c10::DispatchKey::NestedTensor)) {
    put(kUndefined);
    return;
  }
  // Not sizes(): a subclass may answer that with code of its own.
  const c10::IntArrayRef sizes = implementation->sizes_default();
  if (!put(static_cast<int64_t>(sizes.size()))) return;
  for (const int64_t size : sizes) {
    if (!put(size)) return;
  }
}

bool Shapes::put(int64_t number) {
  if (count_ < kMaxNumbers - 1) {
    numbers_[count_++] = number;
    return true;
  }
  numbers_[kMaxNumbers - 1] = kCutOff;
  count_ = kMaxNumbers;
  return false;
}

std::string Shapes::text() const {
  std::string text;
  bool isFirst = true;
  const auto separate = [&] {
    if (!isFirst) text += ", ";
    isFirst = false;
  };
  for (size_t next = 0; next < count_;) {
    const int64_t number = numbers_[next++];
    if (number == kListEnds) {
      text += ']';
      isFirst = false;
      continue;
    }
    separate();
    if (number == kListBegins) {
      text += '[';
      isFirst = true;
    } else if (number == kUndefined) {
      text += "[?]";
    } else if (number == kCutOff) {
      text += "...";
    } else {
      text += '[';
      for (int64_t dimension = 0; dimension < number && next < count_; ++dimension) {
        if (dimension) text += ", ";
        const int64_t size = numbers_[next++];
        text += size == kCutOff ? "..." : std::to_string(size);
      }
      text += ']';
    }
  }
  return text;
}

trace::StringId ShapeCache::intern(const Shapes& shapes, trace::EventSink& sink) {
  const std::span<const int64_t> numbers = shapes.numbers();
  if (numbers.empty()) return {};
  Entry& entry = entries_[hash(numbers) % entries_.size()];
  if (entry.count == numbers.size() &&
      std::equal(numbers.begin(), numbers.end(), entry.numbers.get())) {
    return entry.text;
  }
  entry.count = 0;
  entry.numbers = std::make_unique<int64_t[]>(numbers.size());
  std::copy(numbers.begin(), numbers.end(), entry.numbers.get());
  entry.text = sink.intern(shapes.text());
  if (entry.text != trace::StringId{}) entry.count = numbers.size();
  return entry.text;
}

}  // namespace jitscope::collector
