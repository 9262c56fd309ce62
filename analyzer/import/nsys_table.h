#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/sqlite/database.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// Whether two names are the same for SQL, which ignores the case of ASCII letters.
bool isSameSqlName(std::string_view one, std::string_view other);

/// The tables of an export of Nsight Systems, which come and go and change their columns from
/// version to version.
class NsysTables {
 public:
  /// Looks which tables there are, some thousands at most. What is no plain table (a view, a
  /// virtual one) is none: it could run anything.
  static trace::Result<NsysTables> of(Database& database);

  /// Names count as SQL takes them, whatever the case of their letters.
  bool has(std::string_view name) const;

  /// The first table whose name begins so: NVTX_EVENTS, NVTX_EVENTS_V2, …; empty when there is
  /// none.
  std::string withPrefix(std::string_view prefix) const;

  /// All names, in their order.
  const std::vector<std::string>& names() const { return names_; }

  /// Those of `columns` that a table lacks; all when there is no such table.
  trace::Result<std::vector<std::string>> lacking(std::string_view name,
                                                  const std::vector<std::string>& columns) const;

  /// How many rows a table has, at most `mostRows`; 0 for one that is not there or cannot be read.
  int64_t rowCount(std::string_view name) const;

  /// How many bytes the database has.
  int64_t fileBytes() const { return fileBytes_; }

  /// More rows than this no table can have, for want of bytes: if it seems to, its pages are
  /// linked in circles.
  int64_t mostRows() const;

  /// Reads these columns of a table; those that it does not have are NULL. None when there is no
  /// such table.
  std::optional<trace::Result<Statement>> select(std::string_view name,
                                                 const std::vector<std::string>& columns) const;

 private:
  NsysTables(Database& database, int64_t fileBytes) : database_(&database), fileBytes_(fileBytes) {}

  Database* database_;
  int64_t fileBytes_;
  std::vector<std::string> names_;
};

}  // namespace jitscope::analyzer
