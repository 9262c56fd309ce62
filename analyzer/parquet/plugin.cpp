#include "analyzer/parquet/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <system_error>

namespace jitscope::analyzer {
namespace {

trace::Error notThere(const std::string& why) {
  return {fmt::format(
      "Parquet needs Arrow's libraries ({}): tools/setup.sh brings them, then build or install "
      "jitscope again",
      why)};
}

}  // namespace

trace::Result<ParquetPlugin> ParquetPlugin::open() {
  std::error_code problem;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", problem);
  if (problem) return notThere("/proc/self/exe: " + problem.message());
  const std::filesystem::path library =
      program.parent_path().parent_path() / "lib" / kParquetLibrary;
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return notThere(dlerror());
  void* const entry = dlsym(handle, kParquetEntry);
  if (entry == nullptr) return notThere(dlerror());
  return ParquetPlugin(reinterpret_cast<ParquetEntry>(entry));
}

trace::Result<void> ParquetPlugin::write(RowSource& rows, const std::filesystem::path& path) const {
  std::string problem;
  entry_(&rows, path.c_str(), &problem);
  if (!problem.empty()) return trace::Error{problem};
  return {};
}

}  // namespace jitscope::analyzer
