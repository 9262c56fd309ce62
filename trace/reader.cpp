#include "trace/reader.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

#include "trace/format/error_number.h"
#include "trace/read/cell_array.h"
#include "trace/read/loader.h"
#include "trace/read/trace_content.h"

namespace jitscope::trace {

namespace {

/// A file on disk: each column is unpacked when it is first asked for.
class FileContent final : public read::TraceContent {
 public:
  explicit FileContent(read::LoadedFile loaded) : file_(std::move(loaded)) {}

  const std::filesystem::path& path() const override { return file_.path; }

  size_t rowCount(TableId table) const override {
    const auto place = file_.tables.find(table);
    return place == file_.tables.end() ? 0 : place->second.rowCount();
  }

  std::span<const int64_t> column(TableId table, size_t index) const override {
    const auto place = file_.tables.find(table);
    if (place == file_.tables.end()) return {};
    return place->second.column(file_.bytes, constants_, index);
  }

  const std::vector<TableDescription>& tables() const override { return file_.descriptions; }
  std::string_view text(StringId id) const override { return file_.texts.text(id); }
  size_t stringCount() const override { return file_.texts.count(); }
  const std::vector<ReadLoss>& losses() const override { return file_.losses; }
  bool isComplete() const override { return file_.isComplete; }

 private:
  read::LoadedFile file_;
  mutable read::ConstantCells constants_;
};

}  // namespace

TraceFile::TraceFile(std::shared_ptr<const read::TraceContent> content)
    : content_(std::move(content)) {}

Result<TraceFile> TraceFile::open(const std::filesystem::path& path) {
  try {
    Result<read::LoadedFile> file = read::load(path);
    if (!file) return file.error().within(path.string());
    return TraceFile(std::make_shared<const FileContent>(std::move(*file)));
  } catch (const std::bad_alloc&) {
    return Error{path.string() + ": cannot be loaded: not enough memory"};
  }
}

const std::filesystem::path& TraceFile::path() const { return content_->path(); }

size_t TraceFile::rowCount(TableId table) const { return content_->rowCount(table); }

std::span<const int64_t> TraceFile::column(TableId table, size_t index) const {
  return content_->column(table, index);
}

const std::vector<TableDescription>& TraceFile::tables() const { return content_->tables(); }

std::string_view TraceFile::text(StringId id) const { return content_->text(id); }

size_t TraceFile::stringCount() const { return content_->stringCount(); }

const std::vector<ReadLoss>& TraceFile::losses() const { return content_->losses(); }

bool TraceFile::isComplete() const { return content_->isComplete(); }

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
