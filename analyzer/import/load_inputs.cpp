#include "analyzer/import/load_inputs.h"

#include <algorithm>
#include <new>
#include <set>
#include <system_error>

#include "analyzer/import/foreign_format.h"
#include "analyzer/import/importer.h"
#include "analyzer/import/join_processes.h"
#include "analyzer/recording_format.h"
#include "trace/trace_path.h"

namespace jitscope::analyzer {
namespace {

constexpr std::string_view kRecordingMagic = "JITSCOPE";
constexpr int kDeepestFolder = 16;
/// Files of a folder that are named although they are no traces; of more the number is enough.
constexpr size_t kMostForeignInputs = 100;

/// Gathers what the files of one path hold.
class InputLoader {
 public:
  InputLoader(const LoadOptions& options, bool isFolder) : options_(options), isFolder_(isFolder) {}

  void load(const std::filesystem::path& path) {
    const trace::Result<void> loaded = tryLoad(path);
    if (!loaded) result_.problems.push_back(loaded.error().within(path.string()).text);
  }

  /// All that was gathered; `path` is what all files are of.
  LoadedInputs take(const std::filesystem::path& path) {
    if (foreignCount_ > kMostForeignInputs) {
      addForeign(path, "further files that are no traces",
                 static_cast<int64_t>(foreignCount_ - kMostForeignInputs));
    }
    return std::move(result_);
  }

 private:
  trace::Result<void> tryLoad(const std::filesystem::path& path) try {
    trace::Result<InputBytes> bytes = InputBytes::open(path, options_);
    if (!bytes) return bytes.error();
    if (bytes->head().starts_with(kRecordingMagic)) return openRecording(*bytes);
    for (const Importer& importer : importers()) {
      if (importer.recognises(bytes->head())) return runImporter(importer, *bytes);
    }
    if (bytes->head().empty() && !bytes->fault().empty()) {
      return trace::Error{std::string(bytes->fault())};
    }
    return refuse(path, describeForeignFormat(bytes->head()));
  } catch (const std::bad_alloc&) {
    return trace::Error{"cannot be loaded: not enough memory"};
  }

  /// Beside the traces of a folder anything may lie; what calls itself a recording must be one.
  trace::Result<void> refuse(const std::filesystem::path& path, std::string description) {
    if (!isFolder_ || path.extension() == ".jitscope") return trace::Error{std::move(description)};
    if (++foreignCount_ > kMostForeignInputs) return {};
    addForeign(path, std::move(description), 1);
    return {};
  }

  void addForeign(const std::filesystem::path& path, std::string description, int64_t amount) {
    Input& input = result_.inputs.emplace_back(Input{path, std::string(kForeignInput), {}, {}});
    input.losses.push_back({InputLossKind::kForeign, "", std::move(description), amount});
  }

  /// Our own files need no import: their tables are read from where they are.
  trace::Result<void> openRecording(const InputBytes& bytes) {
    if (bytes.encoding() != Encoding::kNone) {
      return trace::Error{"is a packed recording: unpack it and open the result"};
    }
    trace::Result<trace::TraceFile> file = trace::TraceFile::open(bytes.path());
    if (!file) {
      // It names the path already.
      return trace::Error{file.error().text.substr(bytes.path().string().size() + 2)};
    }
    Input& input =
        result_.inputs.emplace_back(Input{bytes.path(), std::string(kRecordingFormat), {}, {}});
    for (const trace::TableDescription& table : file->tables()) {
      const auto rows = static_cast<int64_t>(file->rowCount(table.id));
      if (rows > 0) input.counts.push_back({table.name, rows});
    }
    for (const trace::ReadLoss& loss : file->losses()) {
      const bool isDamage = loss.kind == trace::LossKind::kDropped;
      input.losses.push_back({isDamage ? InputLossKind::kCut : InputLossKind::kForeign, loss.place,
                              loss.text, loss.amount});
    }
    result_.traces.push_back(std::move(*file));
    return {};
  }

  trace::Result<void> runImporter(const Importer& importer, InputBytes& bytes) {
    Import import;
    const trace::Result<void> done = importer.import(bytes, import);
    if (options_.stop.stop_requested()) return trace::Error{"stopped"};
    if (!done && import.isForeign()) return refuse(bytes.path(), done.error().text);
    if (!done) return done.error();
    for (trace::MemoryTrace& process : import.processes()) {
      // Each process shows the losses of the file once: with the first.
      const bool isFirst = &process == &import.processes().front();
      result_.traces.push_back(std::move(process).finish(
          bytes.path(), isFirst ? readLosses(import) : noLosses(), !import.isCut()));
    }
    result_.inputs.push_back(
        {bytes.path(), std::string(importer.format), import.counts(), import.losses()});
    return {};
  }

  static std::vector<trace::ReadLoss> noLosses() { return {}; }

  /// The losses after which something is missing from the tables.
  static std::vector<trace::ReadLoss> readLosses(const Import& import) {
    std::vector<trace::ReadLoss> losses;
    for (const InputLoss& loss : import.losses()) {
      if (loss.kind != InputLossKind::kCut && loss.kind != InputLossKind::kSkipped) continue;
      const bool isCut = loss.kind == InputLossKind::kCut;
      losses.push_back({isCut ? trace::LossKind::kDropped : trace::LossKind::kOutOfRange,
                        loss.place, loss.text, loss.amount});
    }
    return losses;
  }

  const LoadOptions& options_;
  bool isFolder_;
  size_t foreignCount_ = 0;
  LoadedInputs result_;
};

/// All files below a folder, by path. What cannot be looked into is left out.
trace::Result<std::vector<std::filesystem::path>> filesBelow(const std::filesystem::path& folder) {
  using Walk = std::filesystem::recursive_directory_iterator;
  std::vector<std::filesystem::path> paths;
  std::error_code problem, ignored;
  Walk walk(folder, std::filesystem::directory_options::skip_permission_denied, problem);
  for (; !problem && walk != Walk(); walk.increment(problem)) {
    if (walk.depth() >= kDeepestFolder) walk.disable_recursion_pending();
    if (trace::isHiddenTracePath(walk->path())) continue;
    if (walk->is_regular_file(ignored)) paths.push_back(walk->path());
  }
  if (problem) return trace::Error{"cannot be read: " + problem.message()};
  if (paths.empty()) return trace::Error{"nothing to read: no file in this folder"};
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

trace::Result<LoadedInputs> loadInputs(const std::filesystem::path& path,
                                       const LoadOptions& options) {
  std::error_code ignored;  // what cannot be looked at is no folder, and opening it tells why
  std::vector<std::filesystem::path> paths = {path};
  if (std::filesystem::is_directory(path, ignored)) {
    trace::Result<std::vector<std::filesystem::path>> found = filesBelow(path);
    if (!found) return found.error().within(path.string());
    paths = std::move(*found);
  }
  InputLoader loader(options, paths.front() != path);
  for (const std::filesystem::path& each : paths) {
    if (options.stop.stop_requested()) return trace::Error{path.string() + ": stopped"};
    // A process of a recording that goes on may have taken its empty file away.
    if (each != path && !std::filesystem::exists(each, ignored)) continue;
    loader.load(each);
  }
  LoadedInputs loaded = loader.take(path);
  const bool hasInput =
      std::any_of(loaded.inputs.begin(), loaded.inputs.end(),
                  [](const Input& input) { return input.format != kForeignInput; });
  if (hasInput) {
    if (loaded.traces.size() > 1) loaded.traces = joinProcesses(std::move(loaded.traces));
    return loaded;
  }
  if (!loaded.problems.empty()) return trace::Error{loaded.problems.front()};
  return trace::Error{path.string() + ": nothing to read: no trace among " +
                      std::to_string(paths.size()) + " files"};
}

}  // namespace jitscope::analyzer
