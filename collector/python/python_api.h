#pragma once

#include <cstdint>

/// \file
/// The few functions of Python's stable interface that this library calls. They are looked up in
/// the running process, so one build serves every version of Python 3.
extern "C" {

struct PythonObject;  // Python's own; only ever handled by pointer

/// PyMethodDef: how a function written in C is described to Python.
struct PythonMethod {
  const char* name;
  PythonObject* (*function)(PythonObject* self, PythonObject* arguments, PythonObject* keywords);
  int flags;
  const char* documentation;
};
}

namespace jitscope::collector {

inline constexpr int kMethodWithKeywords = 0x1 | 0x2;  ///< METH_VARARGS | METH_KEYWORDS

/// Each as CPython documents it. To be called with the interpreter's lock held.
struct PythonApi {
  PythonObject* (*newFunction)(PythonMethod*, PythonObject* self, PythonObject* module);
  PythonObject* (*call)(PythonObject* callable, PythonObject* arguments, PythonObject* keywords);
  PythonObject* (*packTuple)(intptr_t size, ...);
  PythonObject* (*getItem)(PythonObject* tuple, intptr_t place);  ///< borrowed
  PythonObject* (*newCapsule)(void* pointer, const char* name, void (*destroy)(PythonObject*));
  void* (*getPointer)(PythonObject* capsule, const char* name);
  void (*release)(PythonObject*);
  void (*clearError)();
};

/// The interpreter of this process; null when there is none, or when it lacks one of the functions.
const PythonApi* pythonApi();

}  // namespace jitscope::collector
