#include "compiler/source/debug_info.h"

#if __has_include(<elfutils/libdwfl.h>)

#include <dlfcn.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace jitscope::compiler {
namespace {

/// The functions of libdw that are used, by their own names. Loaded at run time, so that programs
/// also start where libdw is absent.
struct Libdw {
// NOLINTNEXTLINE(bugprone-macro-parentheses): the argument is a name that it declares
#define JITSCOPE_LIBDW(name) decltype(&::name) name = nullptr
  JITSCOPE_LIBDW(dwfl_begin);
  JITSCOPE_LIBDW(dwfl_end);
  JITSCOPE_LIBDW(dwfl_report_begin);
  JITSCOPE_LIBDW(dwfl_report_end);
  JITSCOPE_LIBDW(dwfl_linux_proc_report);
  JITSCOPE_LIBDW(dwfl_linux_proc_find_elf);
  JITSCOPE_LIBDW(dwfl_getmodules);
  JITSCOPE_LIBDW(dwfl_module_info);
  JITSCOPE_LIBDW(dwfl_module_addrdie);
  JITSCOPE_LIBDW(dwfl_module_nextcu);
  JITSCOPE_LIBDW(dwfl_module_addrname);
  JITSCOPE_LIBDW(dwfl_module_getsrc);
  JITSCOPE_LIBDW(dwfl_lineinfo);
  JITSCOPE_LIBDW(dwarf_haspc);
  JITSCOPE_LIBDW(dwarf_child);
  JITSCOPE_LIBDW(dwarf_siblingof);
  JITSCOPE_LIBDW(dwarf_tag);
  JITSCOPE_LIBDW(dwarf_attr);
  JITSCOPE_LIBDW(dwarf_attr_integrate);
  JITSCOPE_LIBDW(dwarf_formstring);
  JITSCOPE_LIBDW(dwarf_formudata);
  JITSCOPE_LIBDW(dwarf_getsrcfiles);
  JITSCOPE_LIBDW(dwarf_filesrc);
  JITSCOPE_LIBDW(dwarf_decl_file);
  JITSCOPE_LIBDW(dwarf_decl_line);
#undef JITSCOPE_LIBDW

  static const Libdw* load() {
    static const Libdw* loaded = open();
    return loaded;
  }

 private:
  template <class Function>
  static bool find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    return function != nullptr;
  }

  static const Libdw* open() {
    void* library = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return nullptr;
    static Libdw dw;
#define JITSCOPE_LIBDW(name) find(library, #name, dw.name)
    const bool isComplete =
        JITSCOPE_LIBDW(dwfl_begin) && JITSCOPE_LIBDW(dwfl_end) &&
        JITSCOPE_LIBDW(dwfl_report_begin) && JITSCOPE_LIBDW(dwfl_report_end) &&
        JITSCOPE_LIBDW(dwfl_linux_proc_report) && JITSCOPE_LIBDW(dwfl_linux_proc_find_elf) &&
        JITSCOPE_LIBDW(dwfl_getmodules) && JITSCOPE_LIBDW(dwfl_module_info) &&
        JITSCOPE_LIBDW(dwfl_module_addrdie) && JITSCOPE_LIBDW(dwfl_module_nextcu) &&
        JITSCOPE_LIBDW(dwfl_module_addrname) && JITSCOPE_LIBDW(dwfl_module_getsrc) &&
        JITSCOPE_LIBDW(dwfl_lineinfo) && JITSCOPE_LIBDW(dwarf_haspc) &&
        JITSCOPE_LIBDW(dwarf_child) && JITSCOPE_LIBDW(dwarf_siblingof) &&
        JITSCOPE_LIBDW(dwarf_tag) && JITSCOPE_LIBDW(dwarf_attr) &&
        JITSCOPE_LIBDW(dwarf_attr_integrate) && JITSCOPE_LIBDW(dwarf_formstring) &&
        JITSCOPE_LIBDW(dwarf_formudata) && JITSCOPE_LIBDW(dwarf_getsrcfiles) &&
        JITSCOPE_LIBDW(dwarf_filesrc) && JITSCOPE_LIBDW(dwarf_decl_file) &&
        JITSCOPE_LIBDW(dwarf_decl_line);
#undef JITSCOPE_LIBDW
    return isComplete ? &dw : nullptr;
  }
};

/// Debug information that is not in the module itself is not looked for: that could mean the
/// network.
int findNoSeparateDebugInfo(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                            GElf_Word, char**) {
  return -1;
}

std::string text(const char* chars) { return chars ? chars : ""; }

}  // namespace

struct DebugInfo::Session {
  const Libdw* dw = nullptr;
  Dwfl_Callbacks callbacks{};
  Dwfl* dwfl = nullptr;

  struct Search {
    const Libdw* dw = nullptr;
    uintptr_t address = 0;
    Dwfl_Module* found = nullptr;
  };

  static int visit(Dwfl_Module* module, void**, const char*, Dwarf_Addr start, void* argument) {
    auto& search = *static_cast<Search*>(argument);
    Dwarf_Addr end = 0;
    search.dw->dwfl_module_info(module, nullptr, nullptr, &end, nullptr, nullptr, nullptr, nullptr);
    if (search.address < start || search.address >= end) return DWARF_CB_OK;
    search.found = module;
    return DWARF_CB_ABORT;
  }

  void reportModules() {
    dw->dwfl_report_begin(dwfl);
    dw->dwfl_linux_proc_report(dwfl, getpid());
    dw->dwfl_report_end(dwfl, nullptr, nullptr);
  }

  /// libdw's own search rounds the ends of modules, and so takes a neighbour for the module.
  Dwfl_Module* knownModuleOf(uintptr_t address) {
    Search search{dw, address};
    dw->dwfl_getmodules(dwfl, visit, &search, 0);
    return search.found;
  }

  Dwfl_Module* moduleOf(uintptr_t address) {
    if (Dwfl_Module* module = knownModuleOf(address)) return module;
    // A library may have been loaded since.
    reportModules();
    return knownModuleOf(address);
  }

  Dwarf_Die* unitOf(Dwfl_Module* module, uintptr_t address, Dwarf_Addr& bias) {
    if (Dwarf_Die* unit = dw->dwfl_module_addrdie(module, address, &bias)) return unit;
    // Some compilers write no index from addresses to units.
    Dwarf_Die* unit = nullptr;
    while ((unit = dw->dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
      if (dw->dwarf_haspc(unit, address - bias) == 1) return unit;
    }
    return nullptr;
  }

  /// Adds the functions around an address below `die`, as they are nested in the machine code,
  /// outermost first. Looks at no more than it must: units of user code are large.
  bool addScopesAt(Dwarf_Die* die, Dwarf_Addr address, std::vector<Dwarf_Die>& scopes) {
    Dwarf_Die child;
    if (!die || dw->dwarf_child(die, &child) != 0) return false;
    do {
      const int tag = dw->dwarf_tag(&child);
      if (tag == DW_TAG_namespace && addScopesAt(&child, address, scopes)) return true;
      const bool isCode = tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
                          tag == DW_TAG_lexical_block;
      if (!isCode || dw->dwarf_haspc(&child, address) != 1) continue;
      if (tag != DW_TAG_lexical_block) scopes.push_back(child);
      addScopesAt(&child, address, scopes);
      return true;
    } while (dw->dwarf_siblingof(&child, &child) == 0);
    return false;
  }

  /// The same, innermost first.
  std::vector<Dwarf_Die> scopesAt(Dwarf_Die* unit, Dwarf_Addr address) {
    std::vector<Dwarf_Die> scopes;
    addScopesAt(unit, address, scopes);
    std::reverse(scopes.begin(), scopes.end());
    return scopes;
  }

  std::string nameOf(Dwarf_Die* die) {
    Dwarf_Attribute attribute;
    for (unsigned kind : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
      if (dw->dwarf_attr_integrate(die, kind, &attribute)) {
        return text(dw->dwarf_formstring(&attribute));
      }
    }
    return "";
  }

  int64_t number(Dwarf_Die* die, unsigned kind) {
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (!dw->dwarf_attr(die, kind, &attribute) || dw->dwarf_formudata(&attribute, &value) != 0) {
      return 0;
    }
    return static_cast<int64_t>(value);
  }

  /// Where an inlined function is called.
  SourceLine callSite(Dwarf_Die* unit, Dwarf_Die* inlined) {
    SourceLine site;
    Dwarf_Files* files = nullptr;
    size_t count = 0;
    const auto file = static_cast<size_t>(number(inlined, DW_AT_call_file));
    if (dw->dwarf_getsrcfiles(unit, &files, &count) == 0 && file < count) {
      site.file = text(dw->dwarf_filesrc(files, file, nullptr, nullptr));
    }
    site.line = number(inlined, DW_AT_call_line);
    return site;
  }

  /// Compilers write paths as they got them, beside the folder that they ran in.
  std::string absolute(Dwarf_Die* unit, const std::string& file) {
    Dwarf_Attribute attribute;
    if (file.empty() || file[0] == '/' || !unit ||
        !dw->dwarf_attr(unit, DW_AT_comp_dir, &attribute)) {
      return file;
    }
    const std::filesystem::path folder = text(dw->dwarf_formstring(&attribute));
    return (folder / file).lexically_normal();
  }

  SourceLine lineAt(Dwfl_Module* module, uintptr_t address) {
    SourceLine place;
    if (Dwfl_Line* line = dw->dwfl_module_getsrc(module, address)) {
      int number = 0;
      place.file = text(dw->dwfl_lineinfo(line, nullptr, &number, nullptr, nullptr, nullptr));
      place.line = number;
    }
    return place;
  }
};

DebugInfo::DebugInfo() {
  const Libdw* dw = Libdw::load();
  if (!dw) return;
  session_ = new Session;
  session_->dw = dw;
  session_->callbacks.find_elf = dw->dwfl_linux_proc_find_elf;
  session_->callbacks.find_debuginfo = findNoSeparateDebugInfo;
  session_->dwfl = dw->dwfl_begin(&session_->callbacks);
  if (session_->dwfl) {
    session_->reportModules();
  } else {
    delete std::exchange(session_, nullptr);
  }
}

DebugInfo::~DebugInfo() {
  if (!session_) return;
  session_->dw->dwfl_end(session_->dwfl);
  delete session_;
}

std::vector<DebugInfo::Function> DebugInfo::functionsAt(uintptr_t address) {
  if (!session_) return {};
  Dwfl_Module* module = session_->moduleOf(address);
  if (!module) return {};
  SourceLine place = session_->lineAt(module, address);
  if (place.file.empty()) return {};
  std::vector<Function> functions;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = session_->unitOf(module, address, bias);
  const auto add = [&](const SourceLine& found) {
    functions.push_back({found, found.file});
    functions.back().source.file = session_->absolute(unit, found.file);
  };
  for (auto& scope : session_->scopesAt(unit, address - bias)) {
    place.function = session_->nameOf(&scope);
    add(place);
    if (session_->dw->dwarf_tag(&scope) == DW_TAG_subprogram) break;
    place = session_->callSite(unit, &scope);
  }
  if (functions.empty()) {
    place.function = symbolAt(address);
    add(place);
  }
  return functions;
}

SourceLine DebugInfo::declarationAt(uintptr_t address) {
  SourceLine declaration;
  Dwfl_Module* module = session_ ? session_->moduleOf(address) : nullptr;
  if (!module) return declaration;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = session_->unitOf(module, address, bias);
  for (auto& scope : session_->scopesAt(unit, address - bias)) {
    if (session_->dw->dwarf_tag(&scope) != DW_TAG_subprogram) continue;
    int line = 0;
    session_->dw->dwarf_decl_line(&scope, &line);
    declaration = {session_->absolute(unit, text(session_->dw->dwarf_decl_file(&scope))), line,
                   session_->nameOf(&scope)};
    break;
  }
  return declaration;
}

std::string DebugInfo::symbolAt(uintptr_t address) {
  Dwfl_Module* module = session_ ? session_->moduleOf(address) : nullptr;
  return module ? text(session_->dw->dwfl_module_addrname(module, address)) : "";
}

}  // namespace jitscope::compiler

#else

namespace jitscope::compiler {

struct DebugInfo::Session {};
DebugInfo::DebugInfo() = default;
DebugInfo::~DebugInfo() = default;
std::vector<DebugInfo::Function> DebugInfo::functionsAt(uintptr_t) { return {}; }
SourceLine DebugInfo::declarationAt(uintptr_t) { return {}; }
std::string DebugInfo::symbolAt(uintptr_t) { return ""; }

}  // namespace jitscope::compiler

#endif
