#include "compiler/frames/dimension_marks.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <unordered_map>

#include "compiler/dynamic.h"

namespace jitscope::compiler {

namespace {

/// Marks by tensor object. A tensor has no room for them, and a weak reference tells a dead tensor
/// from a new one at the same address.
class MarkTable {
 public:
  static MarkTable& instance() {
    static auto* table = new MarkTable;  // never destroyed: tensors may outlive static objects
    return *table;
  }

  void add(const at::Tensor& tensor, const DimensionMark& mark) {
    const std::lock_guard lock(mutex_);
    if (entries_.size() >= nextSweep_) sweep();
    auto [it, isNew] = entries_.try_emplace(tensor.unsafeGetTensorImpl(), tensor);
    if (!isNew && it->second.tensor.expired()) it->second = Entry(tensor);
    auto& marks = it->second.marks;
    std::erase_if(marks, [&](const DimensionMark& old) { return old.dimension == mark.dimension; });
    marks.push_back(mark);
    count_.store(entries_.size(), std::memory_order_relaxed);
  }

  std::vector<DimensionMark> find(const at::Tensor& tensor) {
    const std::lock_guard lock(mutex_);
    const auto it = entries_.find(tensor.unsafeGetTensorImpl());
    if (it == entries_.end() || it->second.tensor.expired()) return {};
    return it->second.marks;
  }

  bool isEmpty() const { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  using WeakTensor = c10::weak_intrusive_ptr<at::TensorImpl, at::UndefinedTensorImpl>;
  struct Entry {
    explicit Entry(const at::Tensor& marked) : tensor(marked.getIntrusivePtr()) {}
    WeakTensor tensor;
    std::vector<DimensionMark> marks;
  };

  /// Drops marks of dead tensors, when the table has doubled since the last time.
  void sweep() {
    std::erase_if(entries_, [](const auto& item) { return item.second.tensor.expired(); });
    nextSweep_ = entries_.size() * 2 + 64;
  }

  std::mutex mutex_;
  std::unordered_map<const at::TensorImpl*, Entry> entries_;
  std::atomic<size_t> count_{0};
  size_t nextSweep_ = 64;
};

}  // namespace

void markDimension(const at::Tensor& tensor, DimensionMark mark) {
  if (!tensor.defined()) throw std::invalid_argument("mark a dimension: the tensor is undefined");
  const int64_t rank = tensor.dim();
  if (mark.dimension < -rank || mark.dimension >= rank) {
    throw std::invalid_argument(
        fmt::format("mark a dimension: the tensor has {} dimensions, there is no dimension {}",
                    rank, mark.dimension));
  }
  if (mark.dimension < 0) mark.dimension += rank;
  if (mark.minimum > mark.maximum) {
    throw std::invalid_argument(fmt::format("mark a dimension: minimum {} is above maximum {}",
                                            mark.minimum, mark.maximum));
  }
  MarkTable::instance().add(tensor, mark);
}

bool anyMarks() { return !MarkTable::instance().isEmpty(); }

std::vector<DimensionMark> marksOf(const at::Tensor& tensor) {
  if (!anyMarks() || !tensor.defined()) return {};
  return MarkTable::instance().find(tensor);
}

}  // namespace jitscope::compiler

namespace jitscope {

using compiler::DimensionMark;

void markDynamic(const at::Tensor& tensor, int64_t dimension, std::optional<int64_t> minimum,
                 std::optional<int64_t> maximum) {
  DimensionMark mark{.kind = DimensionMark::Kind::kDynamic, .dimension = dimension};
  // 0 and 1 are always compiled for themselves, so that a lower bound below 2 means 2.
  if (minimum) mark.minimum = std::max<int64_t>(*minimum, 2);
  if (maximum) mark.maximum = *maximum;
  compiler::markDimension(tensor, mark);
}

void maybeMarkDynamic(const at::Tensor& tensor, int64_t dimension) {
  compiler::markDimension(tensor,
                          {.kind = DimensionMark::Kind::kMaybeDynamic, .dimension = dimension});
}

void markStatic(const at::Tensor& tensor, int64_t dimension) {
  compiler::markDimension(tensor, {.kind = DimensionMark::Kind::kStatic, .dimension = dimension});
}

}  // namespace jitscope
