#include "collector/record/output.h"

#include <algorithm>
#include <string>
#include <system_error>

#include "collector/environment.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

namespace files = std::filesystem;

std::vector<files::path> entries(const files::path& folder) {
  std::vector<files::path> result;
  std::error_code error;
  for (files::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    result.push_back(entry->path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

bool isTraceFile(const files::path& path) {
  return path.extension() == kTraceSuffix && files::is_regular_file(path);
}

// What may be thrown away because a new recording takes its place: our own files, nothing else.
bool isRecording(const files::path& path) {
  if (files::is_directory(path)) {
    const std::vector<files::path> found = entries(path);
    return std::all_of(found.begin(), found.end(), isTraceFile);
  }
  return files::is_regular_file(path) &&
         (files::file_size(path) == 0 || trace::TraceFile::open(path));
}

trace::Result<void> removeOld(const files::path& path) {
  if (!files::exists(path)) return {};
  if (!isRecording(path)) {
    return trace::Error{path.string() +
                        ": exists and is no recording: remove it, or name another with -o"};
  }
  std::error_code error;
  if (files::is_directory(path)) {
    for (const files::path& file : entries(path)) files::remove(file, error);
  }
  if (!error) files::remove(path, error);
  if (error) return trace::Error{path.string() + ": cannot be replaced: " + error.message()};
  return {};
}

}  // namespace

trace::Result<Output> Output::create(const files::path& path) {
  std::error_code error;
  files::path place = files::absolute(path, error).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();
  try {
    if (const auto removed = removeOld(place); !removed) return removed.error();
  } catch (const files::filesystem_error& failure) {
    return trace::Error{place.string() + ": cannot be looked at: " + failure.code().message()};
  }
  files::create_directory(place, error);
  if (error) return trace::Error{place.string() + ": cannot be written: " + error.message()};
  return Output(place);
}

std::vector<files::path> Output::files() const {
  std::vector<files::path> result = entries(path_);
  std::erase_if(result, [](const files::path& path) { return path.extension() != kTraceSuffix; });
  return result;
}

void Output::removeIfEmpty() const {
  std::error_code ignored;
  files::remove(path_, ignored);
}

void Output::settle() const {
  const std::vector<files::path> found = entries(path_);
  if (found.size() != 1) return;
  // Three steps, for no file can take the place of the folder that it stands in.
  files::path aside = path_;
  aside += ".settling";
  std::error_code error;
  files::rename(found[0], aside, error);
  if (error) return;
  // Fails when a process that is still running has just begun a file of its own.
  files::remove(path_, error);
  files::rename(aside, error ? found[0] : path_, error);
}

}  // namespace jitscope::collector
