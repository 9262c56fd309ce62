#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "trace/read/file_bytes.h"
#include "trace/read/table_store.h"
#include "trace/read/text_store.h"
#include "trace/reader.h"

namespace jitscope::trace::read {

/// All that was found in one file. Cells are still packed, but known to unpack.
struct LoadedFile {
  std::filesystem::path path;
  FileBytes bytes;
  std::map<TableId, TableStore> tables;
  std::vector<TableDescription> descriptions;
  TextStore texts;
  std::vector<ReadLoss> losses;
  bool isComplete = false;
};

/// Reads a whole file once: finds its chunks, checks each, and keeps where they are. Errors say
/// what and where, without the path.
Result<LoadedFile> load(const std::filesystem::path& path);

}  // namespace jitscope::trace::read
