#pragma once

#include <QHash>
#include <QString>
#include <optional>
#include <unordered_map>
#include <vector>

#include "analyzer/run.h"
#include "gui/models/event_columns.h"

namespace jitscope::gui {

/// Gathers the names of a timeline: each text once, with the run's text ids as short cuts.
class NameTable {
 public:
  explicit NameTable(const analyzer::Run& run) : run_(run) {}

  NameId idOf(trace::StringId text);
  NameId idOf(const QString& text);
  const QString& text(NameId id) const { return names_[static_cast<size_t>(id)]; }

  /// Whether the name is that of a library's operator or kernel (matrix product, convolution, …).
  bool isLibrary(NameId id);

  /// Hands the names over; the table is empty afterwards.
  std::vector<QString> take() { return std::move(names_); }

 private:
  const analyzer::Run& run_;
  std::vector<QString> names_;
  std::vector<std::optional<bool>> isLibrary_;
  QHash<QString, NameId> byText_;
  std::unordered_map<trace::StringId, NameId> byId_;
};

}  // namespace jitscope::gui
