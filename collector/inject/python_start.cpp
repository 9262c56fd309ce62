#include "collector/inject/python_start.h"

#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstring>
#include <exception>
#include <string>

#include "collector/environment.h"
#include "collector/inject/cancellation_off.h"
#include "collector/inject/errno_guard.h"
#include "collector/inject/original.h"
#include "collector/inject/own_folder.h"
#include "collector/inject/session.h"

namespace jitscope::collector {
namespace {

struct PythonObject;

// The package is not looked for on the program's path, and no file is written where it stands.
constexpr const char* kStart = R"(
def start(folder, library):
    import importlib.machinery, importlib.util, sys
    class Loader(importlib.machinery.SourceFileLoader):
        def set_data(self, *arguments, **keywords):
            pass
    class Finder:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if not name.startswith("jitscope_hook"):
                return None
            parts = name.split(".")
            file = folder + "/" + (parts[1] + ".py" if len(parts) > 1 else "__init__.py")
            inner = None if len(parts) > 1 else [folder]
            return importlib.util.spec_from_file_location(
                name, file, loader=Loader(name, file), submodule_search_locations=inner)
    sys.meta_path.insert(0, Finder)
    try:
        import jitscope_hook
    finally:
        sys.meta_path.remove(Finder)
    jitscope_hook.start(library)
try:
    start(folder, library)
except Exception:
    pass
)";

template <class Function>
Function* inPython(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

bool isTorchModule(void* handle) {
  link_map* library = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, static_cast<void*>(&library)) != 0 || !library) return false;
  return library->l_name && std::strstr(library->l_name, "/torch/_C.");
}

// Runs Python's own functions: each is looked up, for the program need not be Python at all.
class Interpreter {
 public:
  bool isUsable() const {
    const auto isInitialized = inPython<int()>("Py_IsInitialized");
    const bool isComplete = newDict_ && setItem_ && newText_ && run_ && builtins_ && release_ &&
                            error_ && clearError_ && isInitialized;
    return isComplete && isInitialized() && !error_();
  }

  void runScript(const char* script, const std::string& folder, const std::string& library) {
    PythonObject* names = newDict_();
    if (names && setItem_(names, "__builtins__", builtins_()) == 0 &&
        setText(names, "folder", folder) && setText(names, "library", library)) {
      constexpr int kFileInput = 257;  // Py_file_input
      if (PythonObject* result = run_(script, kFileInput, names, names)) release_(result);
    }
    if (names) release_(names);
    clearError_();
  }

 private:
  bool setText(PythonObject* names, const char* name, const std::string& text) {
    PythonObject* value = newText_(text.c_str());
    const bool isSet = value && setItem_(names, name, value) == 0;
    if (value) release_(value);
    return isSet;
  }

  PythonObject* (*newDict_)() = inPython<PythonObject*()>("PyDict_New");
  int (*setItem_)(PythonObject*, const char*, PythonObject*) =
      inPython<int(PythonObject*, const char*, PythonObject*)>("PyDict_SetItemString");
  PythonObject* (*newText_)(const char*) =
      inPython<PythonObject*(const char*)>("PyUnicode_DecodeFSDefault");
  PythonObject* (*run_)(const char*, int, PythonObject*, PythonObject*) =
      inPython<PythonObject*(const char*, int, PythonObject*, PythonObject*)>("PyRun_String");
  PythonObject* (*builtins_)() = inPython<PythonObject*()>("PyEval_GetBuiltins");
  void (*release_)(PythonObject*) = inPython<void(PythonObject*)>("Py_DecRef");
  PythonObject* (*error_)() = inPython<PythonObject*()>("PyErr_Occurred");
  void (*clearError_)() = inPython<void()>("PyErr_Clear");
};

constinit std::atomic<bool> isStarted{false};

}  // namespace

void startPythonHook(void* handle, const char* name) noexcept {
  if (!isRecording() || !name || std::strcmp(name, "PyInit__C") != 0) return;
  const ErrnoGuard errnoGuard;
  if (!isTorchModule(handle) || isStarted.exchange(true)) return;
  const CancellationOff uncancelled;
  try {
    Interpreter interpreter;
    if (!interpreter.isUsable()) return;
    interpreter.runScript(kStart, ownFolder() + '/' + kPythonPackage,
                          ownFolder() + '/' + kPythonLibrary);
  } catch (const std::exception&) {
    // No memory: the program runs on without its compilations being recorded.
  }
}

}  // namespace jitscope::collector
