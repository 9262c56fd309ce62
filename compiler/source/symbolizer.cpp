#include "compiler/source/symbolizer.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "compiler/source/debug_info.h"

namespace jitscope::compiler {
namespace {

// Whose code it is shows in the file that it was written in: templates of these headers are
// compiled into the user's own binary.
constexpr std::array<std::string_view, 5> kForeignFolders{
    "/include/c++/", "/include/torch/", "/include/ATen/", "/include/c10/", "/jitscope/compiler/"};
// "libjitscope_" are those that record the program: the first of them calls its main().
constexpr std::array<std::string_view, 11> kForeignModules{
    "libtorch",   "libc10", "libstdc++", "libgcc_s", "libc.so",     "ld-linux",
    "libpthread", "libc++", "libasan",   "libubsan", "libjitscope_"};

/// The folder that this library was built from, as compilers write it into debug information: as
/// they were given this file, and as they were given what is compiled several sources at once.
constexpr std::array<std::string_view, 2> sourceRoots() {
  constexpr std::string_view kThisFile = __FILE__;
  constexpr std::string_view kPath = "compiler/source/symbolizer.cpp";
  static_assert(kThisFile.ends_with(kPath));
  return {kThisFile.substr(0, kThisFile.size() - kPath.size()), JITSCOPE_SOURCE_ROOT};
}

bool isForeignFile(std::string_view file) {
  // First, because a virtual environment with LibTorch may stand inside of the source root.
  const bool isInForeignFolder =
      std::any_of(kForeignFolders.begin(), kForeignFolders.end(),
                  [&](auto part) { return file.find(part) != std::string_view::npos; });
  if (isInForeignFolder) return true;
  constexpr auto kRoots = sourceRoots();
  return std::any_of(kRoots.begin(), kRoots.end(), [file](std::string_view root) {
    if (root.empty() || !file.starts_with(root)) return false;
    const std::string_view inside = file.substr(root.size());
    return inside.starts_with("compiler/") || inside.starts_with("trace/");
  });
}

/// Where there is no file: by the linker's name.
bool isForeignSymbol(std::string_view function) {
  return function.find("jitscope::compiler::") != std::string_view::npos ||
         function.starts_with("__libc_start") || function.starts_with("__libc_csu") ||
         function == "_start";
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? text.get() : symbol;
}

/// Where the bracket that closes at the end of `name` opens; npos when none closes there.
size_t openingOfLast(std::string_view name) {
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (name[i] == ')') ++depth;
    if (name[i] == '(' && --depth == 0) return i;
    if (depth == 0) break;
  }
  return std::string_view::npos;
}

/// `void ns::f<int>(int) const` → `ns::f<int>`.
std::string shortName(std::string_view name) {
  if (const size_t clone = name.find(" [clone"); clone != std::string_view::npos) {
    name = name.substr(0, clone);
  }
  for (std::string_view qualifier : {" const", " &", " &&"}) {
    if (name.ends_with(qualifier)) name.remove_suffix(qualifier.size());
  }
  const size_t parameters = openingOfLast(name);
  if (parameters != std::string_view::npos && parameters > 0) name = name.substr(0, parameters);
  // Only instantiated templates carry their result's type.
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<' || name[i] == '(' || name[i] == '{') ++depth;
    if (name[i] == '>' || name[i] == ')' || name[i] == '}') --depth;
    if (name[i] == ' ' && depth == 0 && !name.substr(0, i).ends_with("operator")) begin = i + 1;
  }
  return std::string(name.substr(begin));
}

class Symbolizer {
 public:
  static Symbolizer& instance() {
    // Never destroyed: threads may still ask while the process ends.
    static auto* symbolizer = new Symbolizer;
    return *symbolizer;
  }

  const std::vector<CodeLine>& lines(uintptr_t address) {
    const std::lock_guard lock(mutex_);
    const auto known = lines_.find(address);
    if (known != lines_.end()) return *known->second;
    auto found = std::make_unique<std::vector<CodeLine>>(lookUp(address));
    return *lines_.emplace(address, std::move(found)).first->second;
  }

  SourceLine definition(uintptr_t address) {
    const std::lock_guard lock(mutex_);
    SourceLine line = debugInfo_.declarationAt(address);
    if (!line.file.empty()) {
      line.function = shortName(demangled(line.function));
      return line;
    }
    const std::vector<CodeLine> lines = lookUp(address);
    return lines.empty() ? SourceLine{} : lines.back().source;
  }

 private:
  std::vector<CodeLine> lookUp(uintptr_t address) {
    Dl_info module{};
    if (dladdr(reinterpret_cast<void*>(address), &module) == 0 || !module.dli_fname) return {};
    const std::string_view path = module.dli_fname;
    const std::string_view moduleName = path.substr(path.rfind('/') + 1);
    const bool isForeignModule =
        std::any_of(kForeignModules.begin(), kForeignModules.end(),
                    [&](auto prefix) { return moduleName.starts_with(prefix); });
    std::vector<CodeLine> lines;
    if (!isForeignModule) {
      for (DebugInfo::Function& found : debugInfo_.functionsAt(address)) {
        found.source.function = shortName(demangled(found.source.function));
        lines.push_back({std::move(found.source), !isForeignFile(found.writtenFile)});
      }
    }
    if (!lines.empty()) return lines;

    std::string symbol = isForeignModule ? "" : debugInfo_.symbolAt(address);
    if (symbol.empty() && module.dli_sname) symbol = module.dli_sname;
    CodeLine line;
    line.source.file = fmt::format("{}+{:#x}", moduleName,
                                   address - reinterpret_cast<uintptr_t>(module.dli_fbase));
    line.source.function = shortName(demangled(symbol));
    line.isUserCode = !isForeignModule && !isForeignSymbol(line.source.function);
    return {line};
  }

  std::mutex mutex_;
  DebugInfo debugInfo_;
  std::unordered_map<uintptr_t, std::unique_ptr<std::vector<CodeLine>>> lines_;
};

}  // namespace

const std::vector<CodeLine>& codeLines(uintptr_t address) {
  return Symbolizer::instance().lines(address);
}

SourceLine definitionLine(uintptr_t address) { return Symbolizer::instance().definition(address); }

}  // namespace jitscope::compiler
