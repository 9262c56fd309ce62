#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "trace/result.h"

struct sqlite3_stmt;

namespace jitscope::analyzer {

/// A prepared SQL statement and the row that it stands at. For one thread; its Database must
/// outlive it.
class Statement {
 public:
  enum class CellType { kNull, kInteger, kReal, kText, kBlob };

  /// Takes ownership.
  explicit Statement(sqlite3_stmt* statement);

  /// Sets the parameter at a position from 0 on. Text must live until the next `reset`.
  void bind(size_t parameter, int64_t value);
  void bind(size_t parameter, double value);
  void bind(size_t parameter, std::string_view value);

  /// Goes to the next row; false behind the last. Errors are SQLite's words.
  trace::Result<bool> step();

  /// Makes it ready to run again, with the parameters it has.
  void reset();

  size_t columnCount() const;
  std::string_view columnName(size_t column) const;

  /// Cells of the row it stands at. Text is valid until the next step.
  CellType type(size_t column) const;
  int64_t integer(size_t column) const;
  double real(size_t column) const;
  std::string_view text(size_t column) const;
  bool isNull(size_t column) const { return type(column) == CellType::kNull; }

  /// Whether running it changes no database.
  bool isReadOnly() const;

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

}  // namespace jitscope::analyzer
