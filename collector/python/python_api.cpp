#include "collector/python/python_api.h"

#include <dlfcn.h>

namespace jitscope::collector {
namespace {

template <class Function>
bool find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

}  // namespace

const PythonApi* pythonApi() {
  static PythonApi api{};
  static const bool isComplete =
      find(api.newFunction, "PyCFunction_NewEx") && find(api.call, "PyObject_Call") &&
      find(api.packTuple, "PyTuple_Pack") && find(api.getItem, "PyTuple_GetItem") &&
      find(api.newCapsule, "PyCapsule_New") && find(api.getPointer, "PyCapsule_GetPointer") &&
      find(api.release, "Py_DecRef") && find(api.clearError, "PyErr_Clear");
  return isComplete ? &api : nullptr;
}

}  // namespace jitscope::collector
