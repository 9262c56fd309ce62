#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "analyzer/run.h"

namespace jitscope::analyzer {

/// Gathers what is missing from a run; equal kinds of loss are added up.
class LossLedger {
 public:
  /// With several files, places start with the name of the file.
  explicit LossLedger(bool hasSeveralFiles) : hasSeveralFiles_(hasSeveralFiles) {}

  /// Adds a loss to those of the same kind, place and text.
  void add(Loss loss);

  /// Adds what the reader and the recorder of a process told.
  void addProcess(const Process& process, const std::vector<std::string_view>& texts);

  /// Adds one row of `table` that was left out because its time or value cannot be right.
  void addOutOfRange(const Process& process, const char* table);

  std::vector<Loss> take() { return std::move(losses_); }

 private:
  using Key = std::tuple<trace::LossKind, std::string, std::string>;

  std::string placeIn(const Process& process, const std::string& place) const;

  bool hasSeveralFiles_;
  std::map<Key, size_t> places_;
  std::vector<Loss> losses_;
};

}  // namespace jitscope::analyzer
