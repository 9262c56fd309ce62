#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

/// \file
/// Positions in the tables of a run, a type for each, and the vector that they index.
namespace jitscope::analyzer {

enum class ProcessIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class FrameIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class EntryIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class CompileIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class CallIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class RegionIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class BreakIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
enum class GuardFailureIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
/// A row of one process's op table.
enum class OpIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
/// A row of one process's kernel table.
enum class KernelIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };
/// A stretch of one thread's time, see Piece.
enum class PieceIndex : uint32_t { kNone = std::numeric_limits<uint32_t>::max() };

/// Whether `index` names a row.
template <class Index>
constexpr bool exists(Index index) {
  return index != Index::kNone;
}

/// `index` as a plain position.
template <class Index>
constexpr size_t position(Index index) {
  return static_cast<size_t>(index);
}

/// A vector whose positions are of type `Index`.
template <class Index, class Row>
class Rows {
 public:
  Rows() = default;
  explicit Rows(std::vector<Row> rows) : rows_(std::move(rows)) {}

  /// The row at `index`, which must exist.
  const Row& operator[](Index index) const { return rows_[position(index)]; }
  Row& operator[](Index index) { return rows_[position(index)]; }

  /// Appends a row and gives its index.
  Index add(Row row) {
    rows_.push_back(std::move(row));
    return indexAt(rows_.size() - 1);
  }

  /// The index of the row at a plain position.
  static constexpr Index indexAt(size_t at) { return static_cast<Index>(at); }

  size_t size() const { return rows_.size(); }
  bool empty() const { return rows_.empty(); }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }
  auto begin() { return rows_.begin(); }
  auto end() { return rows_.end(); }

 private:
  std::vector<Row> rows_;
};

}  // namespace jitscope::analyzer
