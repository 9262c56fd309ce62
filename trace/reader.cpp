#include "trace/reader.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "trace/format/error_number.h"
#include "trace/read/cell_array.h"
#include "trace/read/loader.h"

namespace jitscope::trace {

struct TraceFile::Loaded {
  explicit Loaded(read::LoadedFile loaded) : file(std::move(loaded)) {}
  read::LoadedFile file;
  mutable read::ConstantCells constants;
};

TraceFile::TraceFile(std::shared_ptr<const Loaded> loaded) : loaded_(std::move(loaded)) {}

Result<TraceFile> TraceFile::open(const std::filesystem::path& path) {
  try {
    Result<read::LoadedFile> file = read::load(path);
    if (!file) return file.error().within(path.string());
    return TraceFile(std::make_shared<const Loaded>(std::move(*file)));
  } catch (const std::bad_alloc&) {
    return Error{path.string() + ": cannot be loaded: not enough memory"};
  }
}

const std::filesystem::path& TraceFile::path() const { return loaded_->file.path; }

size_t TraceFile::rowCount(TableId table) const {
  const auto place = loaded_->file.tables.find(table);
  return place == loaded_->file.tables.end() ? 0 : place->second.rowCount();
}

std::span<const int64_t> TraceFile::column(TableId table, size_t index) const {
  const auto place = loaded_->file.tables.find(table);
  if (place == loaded_->file.tables.end()) return {};
  return place->second.column(loaded_->file.bytes, loaded_->constants, index);
}

const std::vector<TableDescription>& TraceFile::tables() const {
  return loaded_->file.descriptions;
}

std::string_view TraceFile::text(StringId id) const { return loaded_->file.texts.text(id); }

size_t TraceFile::stringCount() const { return loaded_->file.texts.count(); }

const std::vector<ReadLoss>& TraceFile::losses() const { return loaded_->file.losses; }

bool TraceFile::isComplete() const { return loaded_->file.isComplete; }

namespace {

Result<std::vector<std::filesystem::path>> traceFilesIn(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  std::error_code problem;
  std::filesystem::directory_iterator entries(folder, problem);
  for (; !problem && entries != std::filesystem::directory_iterator(); entries.increment(problem)) {
    if (entries->path().extension() == ".jitscope") paths.push_back(entries->path());
  }
  if (problem)
    return Error{folder.string() +
                 ": cannot be read: " + format::describeErrorNumber(problem.value())};
  if (paths.empty()) {
    return Error{folder.string() + ": nothing to read: no *.jitscope in this folder"};
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

Result<Recording> Recording::open(const std::filesystem::path& path) {
  std::error_code ignored;  // what cannot be looked at is no folder, and opening it tells why
  std::vector<std::filesystem::path> paths = {path};
  if (std::filesystem::is_directory(path, ignored)) {
    Result<std::vector<std::filesystem::path>> found = traceFilesIn(path);
    if (!found) return found.error();
    paths = std::move(*found);
  }
  Recording recording;
  for (const std::filesystem::path& each : paths) {
    Result<TraceFile> file = TraceFile::open(each);
    if (file) {
      recording.files.push_back(std::move(*file));
    } else {
      recording.problems.push_back(file.error().text);
    }
  }
  if (recording.files.empty()) return Error{recording.problems.front()};
  return recording;
}

}  // namespace jitscope::trace
