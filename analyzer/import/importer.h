#pragma once

#include <span>
#include <string_view>

#include "analyzer/import/import.h"
#include "analyzer/import/input_bytes.h"
#include "trace/result.h"

namespace jitscope::analyzer {

/// The format of a file that lies beside the traces of a folder and is none.
inline constexpr std::string_view kForeignInput = "not a trace";

/// A format that can be imported.
struct Importer {
  std::string_view format;  ///< as a person calls it, e.g. "Chrome trace"

  /// Whether a file that begins so is of this format. Looks at content alone, never at a name.
  bool (*recognises)(std::string_view head);

  /// Reads all of `bytes` into `result`. Damage is no error: it is counted in `result`. An error
  /// (without the path) means that there is nothing to show.
  trace::Result<void> (*import)(InputBytes& bytes, Import& result);

  /// Whether a file of it, which shows no compilation, break or recompile, says that there was
  /// none.
  bool tellsCompiles = true;
};

/// Whether an input tells what was compiled (Importer::tellsCompiles).
bool tellsCompiles(const Input& input);

/// All importers, in the order in which they are asked.
std::span<const Importer> importers();

}  // namespace jitscope::analyzer
