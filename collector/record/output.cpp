#include "collector/record/output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "collector/environment.h"
#include "collector/windows/shared_switch.h"
#include "trace/trace_path.h"

namespace jitscope::collector {

/// The lock of a folder, held as long as the launcher lives, however it ends.
class Output::Claim {
 public:
  explicit Claim(const std::filesystem::path& folder)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)),
        isOthers_(flock(folder_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {}
  ~Claim() {
    if (folder_ >= 0) ::close(folder_);
  }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

  /// Another launcher holds it.
  bool isOthers() const { return isOthers_; }

 private:
  int folder_;
  bool isOthers_;
};

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

// Whether a process of a recording gave `path` its name: PROGRAM-PID.jitscope, with a number behind
// for a later file. A person's collection of recordings is not one recording.
bool isProcessFile(const files::path& path) {
  if (path == SharedSwitch::pathIn(path.parent_path())) return true;
  if (path.extension() != kTraceSuffix || !files::is_regular_file(path)) return false;
  const std::optional<int64_t> pid = trace::writerPid(path);
  if (!pid) return files::file_size(path) == 0;
  const std::string number = '-' + std::to_string(*pid);
  const std::string stem = path.stem().string();
  return stem.ends_with(number) || stem.find(number + '-') != stem.npos;
}

// What may be thrown away because a new recording takes its place: our own files, nothing else.
bool isRecording(const files::path& path) {
  if (files::is_directory(path)) {
    const std::vector<files::path> found = entries(path);
    return std::all_of(found.begin(), found.end(), isProcessFile);
  }
  return files::is_regular_file(path) && (files::file_size(path) == 0 || trace::writerPid(path));
}

trace::Error stillRecorded(const files::path& path) {
  return {path.string() + ": is still being recorded: name another with -o"};
}

// Whether a process of a recording still writes to it, with or without its launcher.
bool isBeingMade(const files::path& path) {
  if (!files::is_directory(path)) return trace::isBeingWritten(path);
  const std::vector<files::path> found = entries(path);
  return std::any_of(found.begin(), found.end(), trace::isBeingWritten);
}

trace::Result<void> removeOld(const files::path& path) {
  if (!files::exists(path)) return {};
  if (!isRecording(path)) {
    return trace::Error{path.string() +
                        ": exists and is no recording: remove it, or name another with -o"};
  }
  if (isBeingMade(path)) return stillRecorded(path);
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
  if (error) return trace::Error{path.string() + ": cannot be written: " + error.message()};
  if (!place.has_filename()) place = place.parent_path();
  try {
    const bool isFolder = files::is_directory(place);
    if (isFolder && Claim(place).isOthers()) return stillRecorded(place);
    if (const auto removed = removeOld(place); !removed) return removed.error();
  } catch (const files::filesystem_error& failure) {
    return trace::Error{place.string() + ": cannot be looked at: " + failure.code().message()};
  }
  files::create_directory(place, error);
  if (error) return trace::Error{place.string() + ": cannot be written: " + error.message()};
  auto claim = std::make_shared<const Claim>(place);
  if (claim->isOthers()) return stillRecorded(place);
  return Output(std::move(place), std::move(claim));
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
