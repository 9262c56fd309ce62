#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "collector/doctor/check.h"
#include "collector/environment.h"
#include "collector/record/child.h"
#include "collector/record/output.h"
#include "collector/record/preload.h"
#include "collector/record/program.h"
#include "trace/reader.h"

namespace jitscope::collector {
namespace {

namespace files = std::filesystem;

constexpr const char* kMatter = "preloading";

// Records a program that does nothing, in a folder that is removed again.
Check tryToRecord(const files::path& folder) {
  const auto output = Output::create(folder / "trial.jitscope");
  if (!output)
    return {kMatter, State::kBad, output.error().text, "set TMPDIR to a folder to write to"};
  const Child child =
      startChild(findProgram("true"), {"true"}, preloadChanges(output->path(), {}, ""));
  const int status = child.startError ? statusOfStartError(child.startError) : waitForChild(child);
  if (status != 0) {
    return {kMatter, State::kBad, fmt::format("`true` ended with status {} under it", status),
            "run `LD_DEBUG=libs jitscope record true` to see what the loader says"};
  }
  output->settle();
  const auto trace = trace::TraceFile::open(output->path());
  if (!trace || trace->rowCount(trace::TableId::kProcess) != 1) {
    return {kMatter, State::kBad, "a trial ran, but the collector was not loaded into it",
            "look for what clears LD_PRELOAD (a security policy, a wrapper of the loader)"};
  }
  return {kMatter, State::kGood, "works, a trial was recorded", ""};
}

Check checkPreloading() {
  if (const auto library = injectLibrary(); !library) {
    return {kMatter, State::kBad, library.error().text, ""};
  }
  std::error_code error;
  const files::path temporary = files::temp_directory_path(error);
  std::string folder = (temporary / "jitscope-doctor-XXXXXX").string();
  if (error || !mkdtemp(folder.data())) {
    return {kMatter, State::kBad, "no place for a trial", "set TMPDIR to a folder to write to"};
  }
  Check result = tryToRecord(folder);
  files::remove_all(folder, error);
  return result;
}

// What tells of Python's torch.compile stands beside the preloaded library.
Check checkPythonHook() {
  constexpr const char* kHook = "torch.compile";
  const auto library = injectLibrary();
  if (!library) return {kHook, State::kAbsent, "not told without preloading", ""};
  std::error_code error;
  for (const char* name : {kPythonLibrary, kPythonPackage}) {
    const files::path needed = library->parent_path() / name;
    if (files::exists(needed, error)) continue;
    return {kHook, State::kAbsent, needed.string() + ": not found",
            "build or install jitscope as a whole to record what Python programs compile"};
  }
  return {kHook, State::kGood, "compilations of Python programs are recorded", ""};
}

Check checkSpace() {
  constexpr double kGigabyte = 1e9;
  std::error_code error;
  const files::space_info space = files::space(".", error);
  if (error) return {"disk space", State::kAbsent, "not known: " + error.message(), ""};
  const double free = static_cast<double>(space.available) / kGigabyte;
  const std::string finding = fmt::format("{:.1f} GB free in this folder", free);
  if (free >= 1) return {"disk space", State::kGood, finding, ""};
  return {"disk space", State::kAbsent, finding,
          "a recording stops growing when the disk is full; record elsewhere with -o"};
}

Check checkWritable() {
  if (access(".", W_OK) == 0)
    return {"output folder", State::kGood, "this folder can be written", ""};
  return {"output folder", State::kAbsent, "this folder cannot be written",
          "name another place with -o"};
}

}  // namespace

std::vector<Check> checkRecording() {
  return {checkPreloading(), checkPythonHook(), checkWritable(), checkSpace()};
}

}  // namespace jitscope::collector
