#pragma once

#include <initializer_list>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/command/arguments.h"
#include "analyzer/run.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// What every command that reads runs can be told about reading them.
class Loading {
 public:
  /// The options, for readArguments. They write into this object, which must outlive them.
  std::vector<Option> options();

  /// What --help says of them, a line each.
  static std::string_view help();

  /// Loads a run as told. Where `errors` is a terminal, progress appears there after half a second.
  /// A callable that was asked for and is not there is an error, which names the one nearest to it.
  trace::Result<Run> load(const std::string& path, std::ostream& errors) const;

  /// Loads two runs to compare: a callable that only one of them has is new or gone.
  trace::Result<std::pair<Run, Run>> loadPair(const std::string& before, const std::string& after,
                                              std::ostream& errors) const;

 private:
  trace::Result<Run> loadWith(LoadOptions options, const std::string& path,
                              std::ostream& errors) const;
  trace::Result<void> checkFrame(std::initializer_list<const Run*> runs,
                                 std::ostream& errors) const;
  trace::Result<void> takeRank(const std::string& text);
  trace::Result<void> takeSince(const std::string& text);
  trace::Result<void> takeMostUnpacked(const std::string& text);

  LoadOptions options_;
};

}  // namespace jitscope::analyzer
